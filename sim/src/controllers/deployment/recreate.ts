/**
 * The Recreate strategy: all old Pods go; when the last is gone, the new ones
 * come.
 * Models: pkg/controller/deployment/recreate.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { isTerminated, ownedBy } from "../shared/pods.ts";
import type { Context, Rollout } from "./context.ts";
import { replicasOf } from "./fenceposts.ts";
import { cleanUpHistory } from "./history.ts";
import { isComplete } from "./progress.ts";
import { actualCount, withReplicas } from "./replicasets.ts";
import { resize } from "./resize.ts";
import { findOrCreateRollout, findRollout } from "./revisions.ts";
import { syncRolloutStatus } from "./status.ts";

// region: recreate
export async function rollOutByRecreating(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  ctx: Context,
): Promise<void> {
  const found = await findRollout(deployment, sets, ctx);
  const stops = withReplicas(found.old).map((rs) => ({ rs, replicas: 0 }));
  if (stops.length > 0) {
    await resize(found.deployment, stops, ctx);
    return syncRolloutStatus(found, ctx);
  }
  if (oldPodsRun(found, sets, ctx)) return syncRolloutStatus(found, ctx);
  const rollout = found.newest
    ? found
    : await findOrCreateRollout(found.deployment, sets, ctx);
  const { newest } = rollout;
  const replicas = replicasOf(deployment);
  const grows = newest && replicasOf(newest) !== replicas;
  const sizes = grows ? [{ rs: newest, replicas }] : [];
  await resize(rollout.deployment, sizes, ctx);
  if (isComplete(deployment, deployment.status)) {
    await cleanUpHistory(rollout, ctx);
  }
  await syncRolloutStatus(rollout, ctx);
}
// endregion: recreate

/** A Pod that is being deleted still runs. */
function oldPodsRun(
  { newest, old }: Rollout,
  sets: readonly ReplicaSet[],
  { pods }: Context,
): boolean {
  if (actualCount(old) > 0) return true;
  return sets
    .filter((rs) => rs.metadata.uid !== newest?.metadata.uid)
    .some((rs) => ownedBy(pods, rs).some((pod) => !isTerminated(pod)));
}
