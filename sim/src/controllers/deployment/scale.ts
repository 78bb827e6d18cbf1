/**
 * A Deployment that is scaled but not rolled: all its ReplicaSets grow or
 * shrink in proportion to their size, so that a change of size in the middle
 * of a rollout does not favour one template.
 * Models: pkg/controller/deployment/sync.go (sync, scale) @ v1.36, with its
 *         defect: one that has the size already keeps an old note of the size
 *         asked for, and the rollout stands still (kubernetes#138036).
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { DESIRED_REPLICAS, MAX_REPLICAS, numberAt } from "./annotations.ts";
import { allOf, type Context, type NewSize, type Rollout } from "./context.ts";
import { isRollingUpdate, maxSurge, replicasOf } from "./fenceposts.ts";
import { cleanUpHistory } from "./history.ts";
import {
  desiredCount,
  largestFirst,
  newestFirst,
  withReplicas,
} from "./replicasets.ts";
import { resize } from "./resize.ts";
import { findRollout } from "./revisions.ts";
import { syncStatus } from "./status.ts";

/** For a paused Deployment, and for a change of `spec.replicas`. */
export async function scaleOnly(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  ctx: Context,
): Promise<void> {
  const rollout = await findRollout(deployment, sets, ctx);
  await resize(rollout.deployment, scaledSizes(rollout), ctx);
  if (deployment.spec.paused) await cleanUpHistory(rollout, ctx);
  await syncStatus(rollout, ctx);
}

// region: scaled-sizes
/** New sizes, in the order in which they are written. */
export function scaledSizes(rollout: Rollout): NewSize[] {
  const { deployment, newest, old } = rollout;
  const replicas = replicasOf(deployment);
  const single = activeOrLatest(rollout);
  if (single) {
    return replicasOf(single) === replicas ? [] : [{ rs: single, replicas }];
  }
  if (newest && isSaturated(deployment, newest)) {
    return withReplicas(old).map((rs) => ({ rs, replicas: 0 }));
  }
  if (!isRollingUpdate(deployment)) return [];
  return proportionalSizes(deployment, withReplicas(allOf(rollout)));
}
// endregion: scaled-sizes

/** The one ReplicaSet with Pods; if none has any, the newest there is. */
function activeOrLatest({ newest, old }: Rollout): ReplicaSet | undefined {
  const active = withReplicas(newest ? [...old, newest] : old);
  if (active.length > 1) return undefined;
  return active[0] ?? newest ?? newestFirst(old)[0];
}

/** The new ReplicaSet alone has all Pods, and all are available. */
function isSaturated(deployment: Deployment, rs: ReplicaSet): boolean {
  const replicas = replicasOf(deployment);
  return (
    replicasOf(rs) === replicas &&
    numberAt(rs, DESIRED_REPLICAS) === replicas &&
    (rs.status?.availableReplicas ?? 0) === replicas
  );
}

/** Each gets its share of the change; the largest gets what rounding left. */
function proportionalSizes(
  deployment: Deployment,
  active: readonly ReplicaSet[],
): NewSize[] {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - desiredCount(active);
  const ordered = toAdd === 0 ? active : largestFirst(active, toAdd > 0);
  let added = 0;
  const sizes = ordered.map((rs) => {
    const share = shareOf(deployment, rs, toAdd, added);
    added += share;
    return { rs, replicas: replicasOf(rs) + share };
  });
  return sizes.map(({ rs, replicas: size }, i) => {
    const leftover = i === 0 ? toAdd - added : 0;
    return { rs, replicas: Math.max(0, size + leftover) };
  });
}

/** Pods that `rs` gains (or loses, below 0) of the `toAdd` of all. */
function shareOf(
  deployment: Deployment,
  rs: ReplicaSet,
  toAdd: number,
  added: number,
): number {
  if (replicasOf(rs) === 0 || toAdd === 0 || toAdd === added) return 0;
  const left = toAdd - added;
  const fraction = fractionOf(deployment, rs);
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

/** By how much `rs` changes if it keeps its part of the whole. */
function fractionOf(deployment: Deployment, rs: ReplicaSet): number {
  const size = replicasOf(rs);
  if (replicasOf(deployment) === 0) return -size;
  const after = replicasOf(deployment) + maxSurge(deployment);
  const before =
    numberAt(rs, MAX_REPLICAS) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return roundHalfAway((size * after) / before) - size;
}

function roundHalfAway(value: number): number {
  return value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);
}
