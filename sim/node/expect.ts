/** `--expect available`: what is still missing, a sentence each. */
import type { ObjectSummary } from "../src/index.ts";

export function unmet(objects: Iterable<ObjectSummary>): string[] {
  const all = [...objects];
  const missing: string[] = [];
  for (const object of all) {
    const [wanted = 0, , updated = 0, , available = 0] = object.counts ?? [];
    if (!object.counts || object.owner) continue;
    const name = `${object.kind} ${object.namespace}/${object.name}`;
    if (available < wanted || updated < wanted) {
      missing.push(
        `${name} has ${available} of ${wanted} Pods available, ${updated} updated${reasons(all, object)}`,
      );
    }
  }
  for (const pod of all) {
    if (pod.kind === "Pod" && !pod.owner && !pod.ready && pod.status !== "Succeeded") {
      missing.push(`Pod ${pod.namespace}/${pod.name} is ${pod.status}`);
    }
  }
  return missing;
}

/** What its Pods are stuck in. */
function reasons(all: readonly ObjectSummary[], owner: ObjectSummary): string {
  const states = all
    .filter(
      (pod) =>
        pod.kind === "Pod" &&
        pod.namespace === owner.namespace &&
        pod.name.startsWith(`${owner.name}-`),
    )
    .filter((pod) => !pod.ready)
    .map((pod) => (pod.node ? pod.status : "Pending, no node"));
  return states.length > 0 ? ` (${[...new Set(states)].join(", ")})` : "";
}
