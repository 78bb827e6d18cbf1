/** GET /version. Models: kube-apiserver v1.36.2 */
import type { JsonObject } from "../../api/types.ts";

export const VERSION: JsonObject = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.2",
  gitCommit: "0000000000000000000000000000000000000000",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "go1.26.10",
  compiler: "gc",
  platform: "linux/amd64",
};
