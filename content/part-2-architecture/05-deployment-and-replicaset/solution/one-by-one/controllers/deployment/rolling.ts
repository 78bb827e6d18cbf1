/**
 * One step of a rolling update. First the new ReplicaSet grows as far as
 * maxSurge lets it; if it cannot, the old ones shrink as far as
 * maxUnavailable lets them, broken Pods first. One of the two, then wait for
 * the next event.
 * Models: pkg/controller/deployment/rolling.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { allOf, type Context, type NewSize, type Rollout } from "./context.ts";
import { replicasOf } from "./fenceposts.ts";
import { cleanUpHistory } from "./history.ts";
import { newReplicas } from "./new-replicas.ts";
import { isComplete } from "./progress.ts";
import { availableCount, desiredCount, oldestFirst } from "./replicasets.ts";
import { resize } from "./resize.ts";
import { findOrCreateRollout } from "./revisions.ts";
import { syncRolloutStatus } from "./status.ts";

// region: roll-out
export async function rollOut(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  ctx: Context,
): Promise<void> {
  const rollout = await findOrCreateRollout(deployment, sets, ctx);
  const sizes = nextSizes(rollout);
  await resize(rollout.deployment, sizes, ctx);
  const done = sizes.length === 0 && isComplete(deployment, deployment.status);
  if (done) await cleanUpHistory(rollout, ctx);
  await syncRolloutStatus(rollout, ctx);
}
// endregion: roll-out

/** What this step changes; nothing if the rollout has to wait, or is done. */
export function nextSizes(rollout: Rollout): NewSize[] {
  const grown = growNew(rollout);
  return grown.length > 0 ? grown : shrinkOld(rollout);
}

function growNew(rollout: Rollout): NewSize[] {
  const { deployment, newest } = rollout;
  if (!newest) return [];
  const wanted = replicasOf(deployment);
  const replicas =
    replicasOf(newest) > wanted
      ? wanted
      : newReplicas(deployment, allOf(rollout), newest);
  return replicas === replicasOf(newest) ? [] : [{ rs: newest, replicas }];
}

// region: shrink-old
function shrinkOld(rollout: Rollout): NewSize[] {
  const { deployment, newest } = rollout;
  const old = oldestFirst(rollout.old.filter((rs) => replicasOf(rs) > 0));
  if (!newest || old.length === 0) return [];
  // All of them, whatever maxUnavailable says: one more comes before one goes.
  const keep = replicasOf(deployment);
  const pending = replicasOf(newest) - availableOf(newest);
  const spare = desiredCount(allOf(rollout)) - keep - pending;
  if (spare <= 0) return [];
  // Broken Pods go first: their loss makes nothing worse.
  const broken = take(old, spare, (rs) => replicasOf(rs) - availableOf(rs));
  // Their ReplicaSets have changed; they are counted anew in the next step.
  const changed = new Set(broken.map(({ rs }) => rs));
  const others = old.filter((rs) => !changed.has(rs));
  const available = availableCount([...others, newest]);
  return [...broken, ...take(others, available - keep, replicasOf)];
}
// endregion: shrink-old

function availableOf({ status }: ReplicaSet): number {
  return status?.availableReplicas ?? 0;
}

/** Takes up to `count` Pods away, from each as many as `most` allows. */
function take(
  sets: readonly ReplicaSet[],
  count: number,
  most: (rs: ReplicaSet) => number,
): NewSize[] {
  const sizes: NewSize[] = [];
  let remaining = count;
  for (const rs of sets) {
    const taken = Math.min(remaining, most(rs));
    if (taken <= 0) continue;
    sizes.push({ rs, replicas: replicasOf(rs) - taken });
    remaining -= taken;
  }
  return sizes;
}
