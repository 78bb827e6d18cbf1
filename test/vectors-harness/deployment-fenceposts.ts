/** Replays deployment-fenceposts.json: surge and unavailable in Pods. */
import type { IntOrString } from "../../sim/src/api/intstr.ts";
import { resolveFenceposts } from "../../sim/src/controllers/deployment/fenceposts.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  maxSurge: IntOrString;
  maxUnavailable: IntOrString;
  replicas: number;
  surge?: number;
  unavailable?: number;
  error?: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const { maxSurge, maxUnavailable, replicas, surge, unavailable, error } = c;
    const name = `${maxSurge}/${maxUnavailable} of ${replicas}`;
    const run = () => resolveFenceposts(maxSurge, maxUnavailable, replicas);
    if (error) tally.throws(name, run);
    else tally.same(name, run, { surge, unavailable });
  }
  return tally.result();
}
