/**
 * Old ReplicaSets are kept so that one can go back, up to a limit.
 * Models: pkg/controller/deployment/sync.go (cleanupDeployment) @ v1.36
 */
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { isNotFound } from "../../api/status.ts";
import { revisionOf } from "./annotations.ts";
import type { Context, Rollout } from "./context.ts";
import { replicasOf } from "./fenceposts.ts";

/** Deletes the oldest ReplicaSets that are beyond revisionHistoryLimit. */
export async function cleanUpHistory(
  { deployment, old }: Rollout,
  { client }: Context,
): Promise<void> {
  const limit = deployment.spec.revisionHistoryLimit ?? 10;
  const alive = old.filter((rs) => !rs.metadata.deletionTimestamp);
  const byRevision = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  for (const rs of byRevision.slice(0, Math.max(0, alive.length - limit))) {
    const { namespace = "", name, generation = 0 } = rs.metadata;
    const unseen = generation > (rs.status?.observedGeneration ?? 0);
    if (replicasOf(rs) > 0 || rs.status?.replicas || unseen) continue;
    try {
      await client.delete(ReplicaSet, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
