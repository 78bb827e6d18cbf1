/**
 * One step of a rolling update. First the new ReplicaSet grows as far as
 * maxSurge lets it; if it cannot, the old ones shrink as far as
 * maxUnavailable lets them, broken Pods first. One of the two, then wait for
 * the next event.
 * Models:     pkg/controller/deployment/rolling.go @ v1.36
 * Leaves out: taking broken Pods and others of one ReplicaSet in one step;
 *             here it is two.
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
  const grown = growNew(rollout);
  await resize(rollout.deployment, grown, ctx);
  const scaled = grown.length > 0 || (await shrinks(rollout, ctx));
  const done = !scaled && isComplete(deployment, deployment.status);
  if (done) await cleanUpHistory(rollout, ctx);
  await syncRolloutStatus(rollout, ctx);
}
// endregion: roll-out

/** A refused write ends the step; the change that refused it starts another. */
async function shrinks(rollout: Rollout, ctx: Context): Promise<boolean> {
  const sizes = shrinkOld(rollout);
  try {
    await resize(rollout.deployment, sizes, ctx);
  } catch {
    return false;
  }
  return sizes.length > 0;
}

/** The new one's next size; nothing if it has all it may have now. */
export function growNew(rollout: Rollout): NewSize[] {
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
/** The old ones' next sizes; nothing if the rollout has to wait, or is done. */
export function shrinkOld(rollout: Rollout): NewSize[] {
  const { deployment, newest } = rollout;
  const old = oldestFirst(rollout.old.filter((rs) => replicasOf(rs) > 0));
  if (!newest || old.length === 0) return [];
  // All of them, whatever maxUnavailable says: one more comes before one goes.
  const keep = replicasOf(deployment);
  const pending = replicasOf(newest) - availableOf(newest);
  const spare = desiredCount(allOf(rollout)) - keep - pending;
  if (spare <= 0) return [];
  // Broken Pods go first: their loss makes nothing worse.
  const broken = take(old, spare, brokenIn);
  const rest = broken.reduce((left, size) => left - lossOf(size), spare);
  // One that is still losing Pods counts them as available: wait for it.
  if (rest > 0 && old.some((rs) => brokenIn(rs) < 0)) return broken;
  // Their ReplicaSets have changed; they are counted anew in the next step.
  const changed = new Set(broken.map(({ rs }) => rs));
  const others = old.filter((rs) => !changed.has(rs));
  const available = availableCount([...others, newest]);
  return [...broken, ...take(others, available - keep, replicasOf)];
}
// endregion: shrink-old

function brokenIn(rs: ReplicaSet): number {
  return replicasOf(rs) - availableOf(rs);
}

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
    if (taken < 0) break;
    if (taken === 0) continue;
    sizes.push({ rs, replicas: replicasOf(rs) - taken });
    remaining -= taken;
  }
  return sizes;
}

function lossOf({ rs, replicas }: NewSize): number {
  return replicasOf(rs) - replicas;
}
