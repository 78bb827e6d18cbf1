/** Replays deployment-newrs-size.json: how far the new ReplicaSet grows. */
import type { IntOrString } from "../../sim/src/api/intstr.ts";
import { newReplicas } from "../../sim/src/controllers/deployment/new-replicas.ts";
import { deployment, replicaSet } from "./deployments.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  strategy: string;
  maxSurge: IntOrString;
  replicas: number;
  newSpec: number;
  oldSpec: number;
  newSpecAfter: number;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const owner = deployment(c.replicas, { maxSurge: c.maxSurge, maxUnavailable: 1 }, c.strategy);
    const newest = replicaSet("new", c.newSpec, 0, 2);
    const all = [replicaSet("old", c.oldSpec, 0, 1), newest];
    tally.same(nameOf(c, i), () => newReplicas(owner, all, newest), c.newSpecAfter);
  }
  return tally.result();
}
