/**
 * Questions about the Pods of a Job.
 * Models: pkg/controller/job/{job_controller,indexed_job_utils}.go @ v1.36
 */
import type { Job } from "../../api/kinds/job.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isActive } from "../shared/pods.ts";
import { endedMs } from "./backoff.ts";
import {
  hasIndex,
  type Indexes,
  indexOf,
  parseIndexes,
  withIndexes,
} from "./indexes.ts";
import {
  FAILURE_COUNT,
  IGNORED_FAILURE_COUNT,
  TRACKING_FINALIZER,
} from "./names.ts";
import { judgeFailure } from "./pod-failure-policy.ts";

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

export function isSuspended({ spec }: Job): boolean {
  return spec.suspend ?? false;
}

export function isFinished({ status }: Job): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: is }) =>
      (type === "Complete" || type === "Failed") && is === "True",
  );
}

export function hasOwnBackoff({ spec }: Job): boolean {
  return spec.backoffLimitPerIndex !== undefined;
}

/** A Pod that is being deleted is replaced only when it has failed. */
export function replacesFailedOnly({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || !!spec.podFailurePolicy;
}

/** Still marked as a Pod whose end is not counted. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

export function isFailed(pod: Pod, job: Job): boolean {
  const phase = pod.status?.phase;
  if (phase === "Failed") return true;
  if (replacesFailedOnly(job)) return false;
  // One that is deleted may never get as far as to fail.
  return !!pod.metadata.deletionTimestamp && phase !== "Succeeded";
}

/** For an Indexed Job: the index is one that the Job asks for. */
export function hasValidIndex(pod: Pod, job: Job): boolean {
  if (!isIndexed(job)) return true;
  const index = indexOf(pod);
  return index >= 0 && index < (job.spec.completions ?? 0);
}

/** How often the index of `pod` has failed, with `pod` itself. */
export function failureCounts(
  job: Job,
  pod: Pod | undefined,
): { counted: number; ignored: number } {
  if (!pod) return { counted: 0, ignored: 0 };
  const counted = countAt(pod, FAILURE_COUNT);
  const ignored = countAt(pod, IGNORED_FAILURE_COUNT);
  return judgeFailure(job.spec.podFailurePolicy, pod).counts
    ? { counted: counted + 1, ignored }
    : { counted, ignored: ignored + 1 };
}

function isIndexFailed(pod: Pod, job: Job): boolean {
  if (!isFailed(pod, job)) return false;
  const { action } = judgeFailure(job.spec.podFailurePolicy, pod);
  if (action === "FailIndex") return true;
  const limit = job.spec.backoffLimitPerIndex ?? Number.MAX_VALUE;
  return failureCounts(job, pod).counted > limit;
}

/** Indexes that are given up; undefined if the Job has no limit per index. */
export function failedIndexes(
  job: Job,
  pods: readonly Pod[],
): Indexes | undefined {
  if (!isIndexed(job) || !hasOwnBackoff(job)) return undefined;
  const { completions = 0 } = job.spec;
  const before = parseIndexes(job.status?.failedIndexes ?? "", completions);
  const newly = pods.filter(
    (pod) =>
      isTracked(pod) && hasValidIndex(pod, job) && isIndexFailed(pod, job),
  );
  return withIndexes(before, newly.map(indexOf));
}

/**
 * The last failed Pod of each index that waits for a new one, which must take
 * over the count. An index that is done, given up or busy waits for none.
 */
export function podsToReplace(
  job: Job,
  pods: readonly Pod[],
  [done, failed]: readonly [Indexes, Indexes | undefined],
  kernel: Pick<Kernel, "msOf">,
): Map<number, Pod> {
  const last = new Map<number, Pod>();
  if (!failed) return last;
  const busy = new Set(pods.filter(isActive).map(indexOf));
  for (const pod of pods) {
    if (!isTracked(pod) || !isFailed(pod, job)) continue;
    const index = indexOf(pod);
    if (!hasValidIndex(pod, job) || busy.has(index)) continue;
    if (hasIndex(done, index) || hasIndex(failed, index)) continue;
    const other = last.get(index);
    const later =
      !other ||
      (timesReplaced(other) <= timesReplaced(pod) &&
        endedMs(other, kernel) <= endedMs(pod, kernel));
    if (later) last.set(index, pod);
  }
  return last;
}

function timesReplaced(pod: Pod): number {
  return countAt(pod, FAILURE_COUNT) + countAt(pod, IGNORED_FAILURE_COUNT);
}

/** A count in an annotation; 0 if there is none that makes sense. */
function countAt({ metadata }: Pod, key: string): number {
  const text = metadata.annotations?.[key] ?? "";
  const count = /^[+-]?[0-9]+$/.test(text) ? Number(text) : 0;
  return count < 0 || count > 2 ** 31 - 1 ? 0 : count;
}
