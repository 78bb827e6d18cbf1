/**
 * Starts the Job that is due, if the policy lets it.
 * Models: pkg/controller/cronjob/cronjob_controllerv2.go (syncCronJob) @ v1.36
 */
import type { CronJob } from "../../api/kinds/cronjob.ts";
import { Job } from "../../api/kinds/job.ts";
import type { CronJobStatus } from "../../api/kinds/types/batch.ts";
import { hasCause, isAlreadyExists } from "../../api/status.ts";
import { controllerOf } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import { referenceTo } from "../../client/events.ts";
import { NAMESPACE_TERMINATING, textOf } from "../shared/pod-control.ts";
import { deleteJob, endOf, jobFor, jobName, rfc3339 } from "./jobs.ts";
import type { Schedule } from "./schedule.ts";
import { mostRecent } from "./times.ts";

/** The status afterwards; the same if nothing was started. */
export async function startIfDue(
  cronJob: CronJob,
  status: CronJobStatus,
  schedule: Schedule,
  ctx: ComponentContext,
): Promise<CronJobStatus> {
  const now = Date.parse(ctx.kernel.microTimestamp().replace(/\d{3}Z$/, "Z"));
  const atMs = dueMs({ ...cronJob, status }, now, schedule, ctx);
  if (atMs === undefined) return status;
  if (isTooLate(cronJob, atMs, now, ctx)) return status;
  const name = jobName(cronJob, atMs);
  const { active = [], lastScheduleTime = "" } = status;
  const isStarted = active.some((one) => one.name === name);
  if (isStarted || Date.parse(lastScheduleTime) === atMs) return status;
  const { concurrencyPolicy } = cronJob.spec;
  if (concurrencyPolicy === "Forbid" && active.length > 0) {
    const message =
      "Not starting job because prior execution is running and concurrency policy is Forbid";
    ctx.events.event(cronJob, "Normal", "JobAlreadyActive", message);
    return status;
  }
  let before = status;
  if (concurrencyPolicy === "Replace") {
    before = await stopActive(cronJob, status, ctx);
  }
  return start(cronJob, before, atMs, ctx);
}

function dueMs(
  cronJob: CronJob,
  now: number,
  schedule: Schedule,
  { events }: ComponentContext,
): number | undefined {
  try {
    const { atMs, missed } = mostRecent(cronJob, now, schedule, true);
    if (missed === "many" && atMs !== undefined) {
      const message =
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      events.event(cronJob, "Warning", "TooManyMissedTimes", message);
    }
    return atMs;
  } catch (error) {
    const message = `invalid schedule: ${cronJob.spec.schedule} : ${textOf(error)}`;
    events.event(cronJob, "Warning", "InvalidSchedule", message);
    return undefined;
  }
}

function isTooLate(
  cronJob: CronJob,
  atMs: number,
  now: number,
  { events }: ComponentContext,
): boolean {
  const { startingDeadlineSeconds } = cronJob.spec;
  if (startingDeadlineSeconds === undefined) return false;
  if (atMs + startingDeadlineSeconds * 1000 >= now) return false;
  const when = new Date(atMs).toUTCString().replace("GMT", "+0000");
  const message = `Missed scheduled time to start a job: ${when}`;
  events.event(cronJob, "Warning", "MissSchedule", message);
  return true;
}

async function stopActive(
  cronJob: CronJob,
  status: CronJobStatus,
  ctx: ComponentContext,
): Promise<CronJobStatus> {
  const { client, events } = ctx;
  for (const { namespace = "", name = "" } of status.active ?? []) {
    try {
      await client.get(Job, namespace, name);
    } catch (error) {
      const message = `Get job: ${textOf(error)}`;
      events.event(cronJob, "Warning", "FailedGet", message);
      throw error;
    }
    if (await deleteJob(cronJob, { metadata: { namespace, name } }, ctx)) {
      continue;
    }
    throw new Error(`could not replace job ${namespace}/${name}`);
  }
  return { ...status, active: [] };
}

async function start(
  cronJob: CronJob,
  status: CronJobStatus,
  atMs: number,
  { client, events }: ComponentContext,
): Promise<CronJobStatus> {
  const wanted = jobFor(cronJob, atMs);
  let job: Job;
  try {
    job = await client.create(Job, wanted);
    const message = `Created job ${job.metadata.name}`;
    events.event(cronJob, "Normal", "SuccessfulCreate", message);
  } catch (error) {
    if (hasCause(error, NAMESPACE_TERMINATING)) return status;
    if (!isAlreadyExists(error)) {
      const message = `Error creating job: ${textOf(error)}`;
      events.event(cronJob, "Warning", "FailedCreate", message);
      throw error;
    }
    const { namespace = "", name } = wanted.metadata;
    job = await client.get(Job, namespace, name);
    const ours = controllerOf(job)?.uid === cronJob.metadata.uid;
    if (!ours || endOf(job)) return status;
  }
  const { kind, namespace, name, uid, apiVersion, resourceVersion } =
    referenceTo(job);
  const about = { kind, namespace, name, uid, apiVersion, resourceVersion };
  return {
    ...status,
    active: [...(status.active ?? []), about],
    lastScheduleTime: rfc3339(atMs),
  };
}
