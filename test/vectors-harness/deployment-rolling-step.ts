/** Replays deployment-rolling-step.json: one step of a rolling update. */
import type { IntOrString } from "../../sim/src/api/intstr.ts";
import { growNew, shrinkOld } from "../../sim/src/controllers/deployment/rolling.ts";
import { deployment, replicaSet } from "./deployments.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Size {
  name: string;
  spec: number;
  available: number;
}

interface Case {
  replicas: number;
  maxSurge: IntOrString;
  maxUnavailable: IntOrString;
  new: Omit<Size, "name">;
  oldOldestFirst: Size[] | null;
  sizesAfter: Record<string, number>;
  stepScaled: "new" | "old" | "none";
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { sizesAfter, stepScaled } = c;
    tally.same(nameOf(c, i), () => step(c), { sizesAfter, stepScaled });
  }
  return tally.result();
}

function step(c: Case) {
  const { maxSurge, maxUnavailable } = c;
  const sizes = [...(c.oldOldestFirst ?? []), { name: "new", ...c.new }];
  const sets = sizes.map(({ name, spec, available }, i) => replicaSet(name, spec, available, i));
  const sizesAfter = Object.fromEntries(sizes.map(({ name, spec }) => [name, spec]));
  const newest = sets.pop();
  const owner = deployment(c.replicas, { maxSurge, maxUnavailable });
  const rollout = { deployment: owner, newest, old: sets };
  const grown = growNew(rollout);
  const changes = grown.length > 0 ? grown : shrinkOld(rollout);
  for (const { rs, replicas } of changes) sizesAfter[rs.metadata.name] = replicas;
  const grew = changes.some(({ rs }) => rs.metadata.name === "new");
  const stepScaled = changes.length === 0 ? "none" : grew ? "new" : "old";
  return { sizesAfter, stepScaled };
}
