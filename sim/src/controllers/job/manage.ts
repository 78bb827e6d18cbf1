/**
 * Creates and deletes the Pods of a Job that goes on.
 * Models: pkg/controller/job/job_controller.go (manageJob) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import { keyOf } from "../../api/types.ts";
import { inDeletionOrder } from "../shared/deletion-order.ts";
import * as podControl from "../shared/pod-control.ts";
import { isReady } from "../shared/pods.ts";
import { sideBySide, slowStart } from "../shared/slow-start.ts";
import { endedMs, remainingMs } from "./backoff.ts";
import { BATCH_MS, type Context, type Round } from "./context.ts";
import { firstFree, indexOf, union, withIndexes } from "./indexes.ts";
import {
  failureCounts,
  hasOwnBackoff,
  hasValidIndex,
  isIndexed,
  isSuspended,
  isTracked,
  replacesFailedOnly,
} from "./pods.ts";
import { letGo } from "./release.ts";
import { podFor } from "./template.ts";

/** Most Pods that one reconcile creates or deletes. */
const BURST = 500;

// region: manage
/** Brings the number of Pods to what it should be. Throws the first error. */
export async function managePods(round: Round, ctx: Context): Promise<void> {
  const { job, active } = round;
  if (isSuspended(job)) return removePods(round, active, ctx);
  const wanted = wantedActive(round);
  const terminating = replacesFailedOnly(job) ? round.terminatingCount : 0;
  const excess = Math.max(0, active.length + terminating - wanted);
  const surplus = podsToRemove(round, excess, ctx).slice(0, BURST);
  if (surplus.length > 0) return removePods(round, surplus, ctx);
  const missing = wanted - terminating - active.length;
  if (missing > 0) await createPods(round, Math.min(missing, BURST), ctx);
}
// endregion: manage

/** Pods that should run now: not more than are left to do. */
function wantedActive({ job, active, succeeded }: Round): number {
  const { completions, parallelism = 1 } = job.spec;
  if (completions === undefined) {
    return succeeded > 0 ? active.length : parallelism;
  }
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Those with an index twice or out of range, then as for a ReplicaSet. */
function podsToRemove(
  { job, active }: Round,
  atLeast: number,
  { kernel }: Context,
): Pod[] {
  const order = (pods: readonly Pod[]) =>
    inDeletionOrder(
      pods.map((pod) => ({ pod, rank: 0 })),
      kernel,
    );
  if (!isIndexed(job)) return order(active).slice(0, atLeast);
  const remove: Pod[] = [];
  const left: Pod[] = [];
  const byIndex = Map.groupBy(active, indexOf);
  for (const same of byIndex.values()) {
    const isValid = same.every((pod) => hasValidIndex(pod, job));
    const sorted = order(same);
    if (isValid) left.push(...sorted.splice(-1));
    remove.push(...sorted);
  }
  const more = Math.max(0, atLeast - remove.length);
  return [...remove, ...order(left).slice(0, more)];
}

/** Deletes what the Job can do without; such a Pod has not failed. */
function removePods(
  round: Round,
  pods: readonly Pod[],
  ctx: Context,
): Promise<void> {
  const key = keyOf(round.job);
  ctx.expectations.expect(key, 0, pods.map(keyOf));
  return deletePods(round, pods, ctx, async (pod) => {
    try {
      // Without its finalizer it is in no count.
      if (isTracked(pod)) await letGo(pod, ctx);
      await podControl.deletePod(ctx, round.job, pod);
    } catch (caught) {
      ctx.expectations.deletionSeen(key, keyOf(pod));
      throw caught;
    }
  });
}

/** Deletes; a Pod counts as terminating from now on. */
export async function deletePods(
  round: Round,
  pods: readonly Pod[],
  ctx: Context,
  remove = (pod: Pod) => podControl.deletePod(ctx, round.job, pod),
): Promise<void> {
  const { error } = await sideBySide(pods.length, async (i) => {
    const pod = pods[i]!;
    try {
      await remove(pod);
    } catch (caught) {
      if (!isNotFound(caught)) throw caught;
    }
    round.activeCount--;
    round.terminatingCount++;
    if (isReady(pod)) round.readyCount--;
  });
  if (error !== undefined) throw error;
}

async function createPods(
  round: Round,
  missing: number,
  ctx: Context,
): Promise<void> {
  const { job } = round;
  const key = keyOf(job);
  const { indexes, waitMs } = planCreation(round, missing, ctx);
  if (waitMs > 0) {
    ctx.queue.addAfter(key, Math.max(waitMs, BATCH_MS));
    round.activeCount = 0;
    return;
  }
  const count = indexes ? indexes.length : missing;
  ctx.expectations.expect(key, count);
  const { successes, error } = await slowStart(count, (i) => {
    const index = indexes?.[i];
    const old = round.replaced.get(index ?? -1);
    return podControl.createPod(ctx, job, podFor(job, index, old));
  });
  round.activeCount += successes;
  ctx.expectations.creationSeen(key, count - successes);
  if (error !== undefined) throw error;
}

/** Which indexes get a Pod now, or how long to wait after a failure. */
function planCreation(
  round: Round,
  missing: number,
  { kernel }: Context,
): { indexes?: readonly number[]; waitMs: number } {
  const { job, backoff } = round;
  const now = kernel.now();
  if (!hasOwnBackoff(job)) {
    const waitMs = remainingMs(backoff, now);
    if (waitMs > 0 || !isIndexed(job)) return { waitMs };
    return { indexes: pendingIndexes(round, missing), waitMs };
  }
  const waits: number[] = [];
  const indexes = pendingIndexes(round, missing).filter((index) => {
    const old = round.replaced.get(index);
    if (!old) return true;
    const { counted, ignored } = failureCounts(job, old);
    const lastFailureMs = endedMs(old, kernel);
    const record = { failures: counted + ignored, lastFailureMs };
    const leftMs = remainingMs(record, now);
    if (leftMs > 0) waits.push(leftMs);
    return leftMs === 0;
  });
  // Nothing to wait for either if every index is done, busy or given up.
  const ready = indexes.length > 0 || waits.length === 0;
  return { indexes, waitMs: ready ? 0 : Math.min(...waits) };
}

function pendingIndexes(round: Round, count: number): number[] {
  const { job, active, pods, indexes, failedIndexes = [] } = round;
  const held = replacesFailedOnly(job)
    ? pods.filter(
        ({ metadata, status }) =>
          metadata.deletionTimestamp &&
          status?.phase !== "Failed" &&
          status?.phase !== "Succeeded",
      )
    : [];
  const busy = [...active, ...held]
    .filter((pod) => hasValidIndex(pod, job))
    .map(indexOf);
  const taken = union(withIndexes(indexes, busy), failedIndexes);
  return firstFree(taken, count, job.spec.completions ?? 0);
}
