/**
 * CronJob controller: makes a Job at each moment of a schedule.
 * Models: pkg/controller/cronjob/cronjob_controllerv2.go @ v1.36
 */
import { CronJob } from "../../api/kinds/cronjob.ts";
import { Job } from "../../api/kinds/job.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";
import { equalStatus } from "../shared/equal.ts";
import { controllerIn } from "../shared/owners.ts";
import { textOf } from "../shared/pod-control.ts";
import { indexByController, ownedBy } from "../shared/pods.ts";
import { followJobs } from "./active.ts";
import { trimHistory } from "./jobs.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { startIfDue } from "./start.ts";
import { untilNextMs } from "./times.ts";

export interface Context extends ComponentContext {
  readonly cronJobs: Informer<CronJob>;
  readonly jobs: Informer<Job>;
  readonly queue: WorkQueue;
}

export function startCronJobController(context: ComponentContext): Component {
  const controller = startController(context, {
    workers: 5,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    cronJobs: context.informers.informer(CronJob),
    jobs: context.informers.informer(Job),
    queue: controller.queue,
  };
  indexByController(ctx.jobs);
  const enqueue = (one: CronJob) => controller.queue.add(keyOf(one));
  controller.on(ctx.cronJobs, {
    added: enqueue,
    updated(one, old) {
      const [is, was] = [one.spec, old.spec];
      const same = is.schedule === was.schedule && is.timeZone === was.timeZone;
      if (same) enqueue(one);
      else planNew(one, ctx);
    },
    deleted: enqueue,
  });
  const enqueueOwner = (job: Job) => {
    const owner = controllerIn(ctx.cronJobs, job);
    if (owner) enqueue(owner);
  };
  controller.on(ctx.jobs, {
    added: enqueueOwner,
    updated: enqueueOwner,
    deleted: enqueueOwner,
  });
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const known = ctx.cronJobs.get(key);
  if (!known) return;
  const jobs = ownedBy(ctx.jobs, known);
  const cronJob = await followJobs(known, jobs, ctx);
  let { status = {} } = cronJob;
  try {
    const schedule = scheduleOf(cronJob, ctx);
    if (schedule) {
      status = await startIfDue(cronJob, status, schedule, ctx);
      planNext({ ...cronJob, status }, schedule, ctx);
    }
  } finally {
    await trimHistory(cronJob, jobs, ctx);
    if (!equalStatus(known.status, status)) {
      await ctx.client.updateStatus(CronJob, { ...cronJob, status });
    }
  }
}
// endregion: reconcile

/** Undefined if nothing is to be started: suspended, or not understood. */
function scheduleOf(
  cronJob: CronJob,
  { events }: Context,
): Schedule | undefined {
  const { schedule, timeZone, suspend } = cronJob.spec;
  if (cronJob.metadata.deletionTimestamp || suspend) return undefined;
  try {
    return parseSchedule(schedule, timeZone);
  } catch (error) {
    const why = textOf(error);
    const zone = why.startsWith("unknown time zone");
    const [reason, message] = zone
      ? ["UnknownTimeZone", `invalid timeZone: "${timeZone}": ${why}`]
      : ["UnparseableSchedule", `unparseable schedule: "${schedule}" : ${why}`];
    events.event(cronJob, "Warning", reason, message);
    return undefined;
  }
}

/** A new schedule starts nothing at once, though a moment of it is past. */
function planNew(cronJob: CronJob, ctx: Context): void {
  const { schedule, timeZone } = cronJob.spec;
  try {
    planNext(cronJob, parseSchedule(schedule, timeZone), ctx);
  } catch {
    const message = `unparseable schedule for cronjob: ${schedule}`;
    const reason = "UnParseableCronJobSchedule";
    ctx.events.event(cronJob, "Warning", reason, message);
  }
}

function planNext(cronJob: CronJob, schedule: Schedule, ctx: Context): void {
  const waitMs = untilNextMs(cronJob, nowMs(ctx), schedule);
  // What never comes waits for a change of the CronJob.
  if (waitMs !== undefined) ctx.queue.addAfter(keyOf(cronJob), waitMs);
}

/** The present moment, in ms since 1970. */
export function nowMs({ kernel }: Pick<Context, "kernel">): number {
  return Date.parse(kernel.microTimestamp().replace(/\d{3}Z$/, "Z"));
}
