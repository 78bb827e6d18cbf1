/**
 * How long a Job waits before it replaces a failed Pod: 10 s, doubling to
 * 10 minutes, counted from the last failure since the last success.
 * Models: pkg/controller/job/backoff_utils.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { podCondition, sidecarStatuses } from "../shared/pods.ts";

const FIRST_MS = 10_000;
const MAX_MS = 600_000;

/** What is remembered of a Job's failures. */
export interface BackoffRecord {
  readonly failures: number;
  /** Simulated ms of the last one. */
  readonly lastFailureMs: number;
}

export const NO_FAILURE: BackoffRecord = { failures: 0, lastFailureMs: 0 };

/** Ms to wait at `nowMs`. */
export function remainingMs(
  { failures, lastFailureMs }: BackoffRecord,
  nowMs: number,
): number {
  if (failures === 0) return 0;
  const backoffMs = Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS);
  return Math.max(0, backoffMs - (nowMs - lastFailureMs));
}

/** The record after Pods have ended that were not counted before. */
export function withEnded(
  record: BackoffRecord,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
  kernel: Pick<Kernel, "msOf">,
): BackoffRecord {
  const failedMs = failed.map((pod) => endedMs(pod, kernel));
  if (succeeded.length === 0) {
    if (failed.length === 0) return record;
    return {
      failures: record.failures + failed.length,
      lastFailureMs: Math.max(...failedMs),
    };
  }
  const successMs = Math.max(...succeeded.map((pod) => endedMs(pod, kernel)));
  const since = failedMs.filter((ms) => ms > successMs);
  return { failures: since.length, lastFailureMs: Math.max(0, ...since) };
}

/** When the Pod ended, in simulated ms; the best guess there is. */
export function endedMs(pod: Pod, kernel: Pick<Kernel, "msOf">): number {
  const { status, metadata } = pod;
  // A sidecar ends after the containers that it is for.
  const ends = [
    ...(status?.containerStatuses ?? []),
    ...sidecarStatuses(pod),
  ].map(({ state }) => state?.terminated?.finishedAt ?? "");
  if (ends.length > 0 && ends.every((end) => end !== "")) {
    return Math.max(...ends.map((end) => kernel.msOf(end)));
  }
  const ready = podCondition(pod, "Ready");
  const unready = ready?.status === "False" && ready.lastTransitionTime;
  if (unready) return kernel.msOf(unready);
  if (metadata.deletionTimestamp) {
    const graceMs = (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    return kernel.msOf(metadata.deletionTimestamp) - graceMs;
  }
  return kernel.msOf(metadata.creationTimestamp ?? "");
}
