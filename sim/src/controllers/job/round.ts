/**
 * What a reconcile knows when it begins.
 * Models: pkg/controller/job/job_controller.go (syncJob) @ v1.36
 */
import { Job } from "../../api/kinds/job.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { selectorFor } from "../../api/selector.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import { claim } from "../shared/owners.ts";
import {
  isActive,
  isReady,
  isTerminating,
  orphansIn,
  ownedBy,
} from "../shared/pods.ts";
import { NO_FAILURE, withEnded } from "./backoff.ts";
import type { Context, Round } from "./context.ts";
import { countIndexes, succeededIndexes } from "./indexes.ts";
import { TRACKING_FINALIZER } from "./names.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import {
  failedIndexes,
  hasValidIndex,
  isFailed,
  isIndexed,
  isSuspended,
  isTracked,
  podsToReplace,
} from "./pods.ts";

export async function beginRound(found: Job, ctx: Context): Promise<Round> {
  const { kernel } = ctx;
  const job = started(found, ctx);
  const pods = await podsOfJob(job, ctx);
  const { status, spec } = job;
  const uncounted = status?.uncountedTerminatedPods ?? {};
  const isNew = (pod: Pod, counted: readonly string[] = []) =>
    isTracked(pod) &&
    !ctx.finalizersGone.has(pod.metadata.uid ?? "") &&
    !counted.includes(pod.metadata.uid ?? "") &&
    hasValidIndex(pod, job);
  const newlySucceeded = pods.filter(
    (pod) =>
      pod.status?.phase === "Succeeded" && isNew(pod, uncounted.succeeded),
  );
  const newlyFailed = pods.filter(
    (pod) => isFailed(pod, job) && isNew(pod, uncounted.failed),
  );
  const counting = newlyFailed.filter(
    (pod) => judgeFailure(spec.podFailurePolicy, pod).counts,
  );
  const completed = status?.completedIndexes ?? "";
  const { before, now } = succeededIndexes(
    completed,
    spec.completions ?? 0,
    isIndexed(job) ? pods : [],
  );
  const indexed = isIndexed(job);
  const gone = failedIndexes(job, pods);
  const active = pods.filter(isActive);
  const record = ctx.backoff.get(keyOf(job)) ?? NO_FAILURE;
  return {
    ...{ job, pods, active, newlySucceeded, newlyFailed },
    succeeded: indexed
      ? countIndexes(now)
      : (status?.succeeded ?? 0) +
        newlySucceeded.length +
        (uncounted.succeeded?.length ?? 0),
    failed:
      (status?.failed ?? 0) + counting.length + (uncounted.failed?.length ?? 0),
    backoff: withEnded(record, newlySucceeded, newlyFailed, kernel),
    ...{ indexesBefore: before, indexes: now, failedIndexes: gone },
    replaced: podsToReplace(job, pods, [now, gone], kernel),
    activeCount: active.length,
    readyCount: active.filter(isReady).length,
    terminatingCount: pods.filter(isTerminating).length,
    finished: undefined,
  };
}

/** The start time is set once, in whole seconds; not while suspended. */
function started(job: Job, { kernel }: Context): Job {
  if (job.status?.startTime || isSuspended(job)) return job;
  const startTime = kernel.timestamp();
  return { ...job, status: { ...job.status, startTime } };
}

async function podsOfJob(job: Job, ctx: Context): Promise<Pod[]> {
  const known = ownedBy(ctx.pods, job);
  const orphans = orphansIn(ctx.pods, job.metadata.namespace);
  const selector = selectorFor(job.spec.selector);
  const { client } = ctx;
  const finalizers = [TRACKING_FINALIZER];
  const pods = await claim(
    { client, ownerRef: Job, owner: job, ref: Pod, selector, finalizers },
    [...known, ...orphans],
  );
  // The copies of those adopted just now do not show the finalizer yet.
  return pods.map((pod) => {
    if (controllerOf(pod) || isTracked(pod)) return pod;
    const all = [...(pod.metadata.finalizers ?? []), ...finalizers];
    return { ...pod, metadata: { ...pod.metadata, finalizers: all } };
  });
}
