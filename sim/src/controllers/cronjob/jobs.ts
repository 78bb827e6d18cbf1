/**
 * The Jobs of a CronJob: made from its template, watched, cleaned up.
 * Models: pkg/controller/cronjob/{utils,cronjob_controllerv2}.go @ v1.36
 */
import { CronJob } from "../../api/kinds/cronjob.ts";
import { Job } from "../../api/kinds/job.ts";
import type { ComponentContext } from "../../client/component.ts";
import { controllerRef } from "../shared/owners.ts";
import { textOf } from "../shared/pod-control.ts";

const SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** `tick-29411865`: minutes since 1970 make the name, so no start is twice. */
export function jobName({ metadata }: CronJob, atMs: number): string {
  return `${metadata.name}-${Math.floor(atMs / 60_000)}`;
}

/** "Complete" or "Failed" once the Job has ended. */
export function endOf({ status }: Job): string | undefined {
  return status?.conditions?.find(
    ({ type, status: is }) =>
      (type === "Complete" || type === "Failed") && is === "True",
  )?.type;
}

export function jobFor(cronJob: CronJob, atMs: number): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const at = rfc3339(atMs);
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobName(cronJob, atMs),
      namespace: cronJob.metadata.namespace,
      labels: metadata?.labels,
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: at },
      ownerReferences: [controllerRef(CronJob, cronJob)],
    },
    spec,
  };
}

export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Deletes a Job with its Pods; Event on the CronJob. False: it could not. */
export async function deleteJob(
  cronJob: CronJob,
  job: Pick<Job, "metadata">,
  { client, events }: ComponentContext,
): Promise<boolean> {
  const { namespace = "", name } = job.metadata;
  const propagationPolicy = "Background";
  try {
    await client.delete(Job, namespace, name, { propagationPolicy });
  } catch (error) {
    const message = `Deleted job: ${textOf(error)}`;
    events.event(cronJob, "Warning", "FailedDelete", message);
    return false;
  }
  const message = `Deleted job ${name}`;
  events.event(cronJob, "Normal", "SuccessfulDelete", message);
  return true;
}

/** Deletes the oldest ended Jobs beyond the history limits. */
export async function trimHistory(
  cronJob: CronJob,
  jobs: readonly Job[],
  ctx: ComponentContext,
): Promise<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec;
  const trim = async (end: string, limit: number | undefined) => {
    if (limit === undefined) return;
    // One that never started comes last; names decide between equals.
    const started = ({ status, metadata }: Job) =>
      `${status?.startTime ?? "~"} ${metadata.name}`;
    const ended = jobs
      .filter((job) => endOf(job) === end)
      .toSorted((a, b) => (started(a) < started(b) ? -1 : 1));
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
      await deleteJob(cronJob, job, ctx);
    }
  };
  await trim("Complete", successfulJobsHistoryLimit);
  await trim("Failed", failedJobsHistoryLimit);
}
