/** Replays job-policies.json: Pod failure policy and success policy. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { PodFailurePolicy, SuccessPolicy } from "../../sim/src/api/kinds/types/batch.ts";
import type { PodStatus } from "../../sim/src/api/kinds/types/pod.ts";
import { parseIndexes } from "../../sim/src/controllers/job/indexes.ts";
import { judgeFailure } from "../../sim/src/controllers/job/pod-failure-policy.ts";
import { metSuccessRule } from "../../sim/src/controllers/job/success-policy.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface FailureCase {
  policy: PodFailurePolicy;
  podStatus: PodStatus;
  action: string;
  countsTowardsBackoffLimit: boolean;
  message: string;
}

interface SuccessCase {
  rules: SuccessPolicy["rules"];
  completions: number;
  succeededIndexes: string;
  met: boolean;
  message: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<FailureCase>(file, "podFailurePolicy").entries()) {
    const { action, countsTowardsBackoffLimit, message } = c;
    const expected = { action, countsTowardsBackoffLimit, message };
    tally.same(nameOf(c, i), () => failure(c), expected);
  }
  for (const [i, c] of casesOf<SuccessCase>(file, "successPolicy").entries()) {
    const run = () => {
      const succeeded = parseIndexes(c.succeededIndexes, c.completions);
      const message = metSuccessRule({ rules: c.rules }, c.completions, succeeded);
      return { met: message !== undefined, message: message ?? "" };
    };
    tally.same(nameOf(c, i), run, { met: c.met, message: c.message });
  }
  return tally.result();
}

function failure(c: FailureCase) {
  const metadata = { name: "j-1", namespace: "shop" };
  const spec = { containers: [] };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata, spec, status: c.podStatus };
  const { action = "", counts, message = "" } = judgeFailure(c.policy, pod);
  return { action, countsTowardsBackoffLimit: counts, message };
}
