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
import { maxUnavailable, replicasOf } from "./fenceposts.ts";
import { newReplicas } from "./new-replicas.ts";
import { isComplete } from "./progress.ts";
import { availableCount, desiredCount, oldestFirst } from "./replicasets.ts";
import { resize } from "./resize.ts";
import { cleanUpHistory, findOrCreateRollout } from "./revisions.ts";
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
  const keep = replicasOf(deployment) - maxUnavailable(deployment);
  const pending = replicasOf(newest) - (newest.status?.availableReplicas ?? 0);
  const spare = desiredCount(allOf(rollout)) - keep - pending;
  if (spare <= 0) return [];
  const left = new Map(old.map((rs) => [rs, replicasOf(rs)]));
  const available = availableCount(allOf(rollout));
  return [
    // Broken Pods go first: their loss makes nothing worse.
    ...take(left, spare, (rs, n) => n - (rs.status?.availableReplicas ?? 0)),
    ...take(left, available - keep, (_, n) => n),
  ];
}
// endregion: shrink-old

/** Takes up to `count` Pods away, from each as many as `most` allows. */
function take(
  left: Map<ReplicaSet, number>,
  count: number,
  most: (rs: ReplicaSet, size: number) => number,
): NewSize[] {
  const sizes: NewSize[] = [];
  let remaining = count;
  for (const [rs, size] of left) {
    const taken = Math.min(remaining, size, most(rs, size));
    if (taken <= 0) continue;
    left.set(rs, size - taken);
    sizes.push({ rs, replicas: size - taken });
    remaining -= taken;
  }
  return sizes;
}
