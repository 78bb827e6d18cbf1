/** Objects for the tests of decoding. */
export { kindOf, kinds, sent as object } from "./kinds-support.ts";

import { workload } from "./kinds-support.ts";

export const deployment = workload("Deployment", {});
