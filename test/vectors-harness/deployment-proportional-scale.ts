/** Replays deployment-proportional-scale.json: a new size in mid-rollout. */
import type { IntOrString } from "../../sim/src/api/intstr.ts";
import { scaledSizes } from "../../sim/src/controllers/deployment/scale.ts";
import { deployment, replicaSet } from "./deployments.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  replicasBefore: number;
  replicasAfter: number;
  maxSurge: IntOrString;
  new: number | null;
  oldNewestFirst: { name: string; spec: number }[] | null;
  desiredAnnotation: number;
  maxReplicasAnnotation: number;
  allAvailable: boolean;
  sizesAfter: Record<string, number>;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    tally.same(nameOf(c, i), () => scaled(c), c.sizesAfter);
  }
  return tally.result();
}

function scaled(c: Case): Record<string, number> {
  const annotations = {
    "deployment.kubernetes.io/desired-replicas": `${c.desiredAnnotation}`,
    "deployment.kubernetes.io/max-replicas": `${c.maxReplicasAnnotation}`,
  };
  const old = c.oldNewestFirst ?? [];
  const make = (name: string, spec: number, created: number) =>
    replicaSet(name, spec, c.allAvailable ? spec : 0, created, annotations);
  const sets = old.map(({ name, spec }, i) => make(name, spec, old.length - i));
  const newest = c.new === null ? undefined : make("new", c.new, old.length + 1);
  const owner = {
    ...deployment(c.replicasAfter, { maxSurge: c.maxSurge, maxUnavailable: 1 }),
    status: { replicas: c.replicasBefore },
  };
  const all = newest ? [...sets, newest] : sets;
  const after = Object.fromEntries(all.map((rs) => [rs.metadata.name, rs.spec.replicas ?? 0]));
  for (const { rs, replicas } of scaledSizes({ deployment: owner, newest, old: sets })) {
    after[rs.metadata.name] = replicas;
  }
  return after;
}
