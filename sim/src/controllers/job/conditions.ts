/**
 * How a Job ends. Each end is told twice: first that it is decided
 * (FailureTarget, SuccessCriteriaMet), then, when all its Pods have ended and
 * are counted, that it is over (Failed, Complete).
 * Models: pkg/controller/job/job_controller.go @ v1.36
 */
import type { Job } from "../../api/kinds/job.ts";
import type { JobCondition } from "../../api/kinds/types/batch.ts";
import type { Kernel } from "../../kernel/index.ts";
import { findCondition } from "../shared/conditions.ts";
import type { Context, Round } from "./context.ts";
import { countIndexes } from "./indexes.ts";
import { judgeFailure } from "./pod-failure-policy.ts";
import { hasOwnBackoff, isFailed, isIndexed, isSuspended } from "./pods.ts";
import { metSuccessRule } from "./success-policy.ts";

export function condition(
  type: string,
  reason: string,
  message: string,
  kernel: Pick<Kernel, "timestamp">,
  status = "True",
): JobCondition {
  const now = kernel.timestamp();
  const times = { lastProbeTime: now, lastTransitionTime: now };
  return { type, status, ...times, reason, message };
}

/** The decided end as the end itself. */
export function finalOf(
  { type, reason = "", message = "" }: JobCondition,
  kernel: Pick<Kernel, "timestamp">,
): JobCondition {
  const end = type === "FailureTarget" ? "Failed" : "Complete";
  return condition(end, reason, message, kernel);
}

export function isDecided({ type }: JobCondition): boolean {
  return type === "FailureTarget" || type === "SuccessCriteriaMet";
}

/** The end that was decided in an earlier round. */
function decidedBefore({ status }: Job, type: string) {
  const found = findCondition(status?.conditions, type);
  return found?.status === "True" ? found : undefined;
}

// region: decide-end
/** Why the Job ends now; undefined while it goes on. */
export function decideEnd(
  round: Round,
  ctx: Context,
): JobCondition | undefined {
  const { job, pods } = round;
  const earlier =
    decidedBefore(job, "SuccessCriteriaMet") ??
    decidedBefore(job, "FailureTarget");
  if (earlier) return earlier;
  const fails = (reason: string, message: string) =>
    condition("FailureTarget", reason, message, ctx.kernel);
  const policy = failedByPolicy(job, pods);
  if (policy) return fails("PodFailurePolicy", policy);
  const { backoffLimit = 6, activeDeadlineSeconds } = job.spec;
  if (round.failed > backoffLimit || restartsTooOften(job, pods)) {
    const message = "Job has reached the specified backoff limit";
    return fails("BackoffLimitExceeded", message);
  }
  const leftMs = untilDeadlineMs(job, ctx);
  if (activeDeadlineSeconds !== undefined && leftMs !== undefined) {
    const message = "Job was active longer than specified deadline";
    if (leftMs <= 0) return fails("DeadlineExceeded", message);
    const { namespace, name } = job.metadata;
    ctx.queue.addAfter(`${namespace}/${name}`, leftMs);
  }
  return isIndexed(job) ? decideIndexed(round, ctx) : undefined;
}
// endregion: decide-end

function decideIndexed(
  { job, indexes, failedIndexes, succeeded }: Round,
  { kernel }: Context,
): JobCondition | undefined {
  const { completions = 0, maxFailedIndexes, successPolicy } = job.spec;
  if (hasOwnBackoff(job) && failedIndexes) {
    const failed = countIndexes(failedIndexes);
    const fails = (reason: string, message: string) =>
      condition("FailureTarget", reason, message, kernel);
    if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
      const message =
        "Job has exceeded the specified maximal number of failed indexes";
      return fails("MaxFailedIndexesExceeded", message);
    }
    if (failed > 0 && failed + succeeded >= completions) {
      return fails("FailedIndexes", "Job has failed indexes");
    }
  }
  const met = metSuccessRule(successPolicy, completions, indexes);
  if (met === undefined) return undefined;
  return condition("SuccessCriteriaMet", "SuccessPolicy", met, kernel);
}

function failedByPolicy(job: Job, pods: Round["pods"]): string | undefined {
  const { podFailurePolicy } = job.spec;
  if (!podFailurePolicy) return undefined;
  for (const pod of pods) {
    if (!isFailed(pod, job)) continue;
    const { message } = judgeFailure(podFailurePolicy, pod);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Restarts inside the Pods count too, where they restart by themselves. */
function restartsTooOften(job: Job, pods: Round["pods"]): boolean {
  const { backoffLimit = 6, template } = job.spec;
  if (template.spec.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== "Running" && status?.phase !== "Pending") continue;
    const all = [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
    ];
    for (const { restartCount } of all) restarts += restartCount;
  }
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** Ms until activeDeadlineSeconds is over; undefined if it does not run. */
export function untilDeadlineMs(
  job: Job,
  { kernel }: Pick<Context, "kernel">,
): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  const startTime = job.status?.startTime;
  if (activeDeadlineSeconds === undefined || !startTime) return undefined;
  if (isSuspended(job)) return undefined;
  const endMs = kernel.msOf(startTime) + activeDeadlineSeconds * 1000;
  return endMs - kernel.now();
}

/** The success of a Job that has all its completions. */
export function completed(kernel: Pick<Kernel, "timestamp">): JobCondition {
  return condition(
    "SuccessCriteriaMet",
    "CompletionsReached",
    "Reached expected number of succeeded pods",
    kernel,
  );
}
