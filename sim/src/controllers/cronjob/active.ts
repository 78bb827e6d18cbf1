/**
 * Keeps the list of running Jobs in the status.
 * Models: pkg/controller/cronjob/cronjob_controllerv2.go (syncCronJob) @ v1.36
 */
import { CronJob } from "../../api/kinds/cronjob.ts";
import { Job } from "../../api/kinds/job.ts";
import { isNotFound } from "../../api/status.ts";
import type { ComponentContext } from "../../client/component.ts";
import { endOf } from "./jobs.ts";

/** The CronJob, its status with ended and lost Jobs taken off the list. */
export async function followJobs(
  known: CronJob,
  jobs: readonly Job[],
  ctx: ComponentContext,
): Promise<CronJob> {
  const cronJob = await withList(known, jobs, ctx);
  let active = [...(cronJob.status?.active ?? [])];
  let lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
  const forget = (uid: string | undefined) => {
    active = active.filter((one) => one.uid !== uid);
  };
  const { events, client } = ctx;
  for (const job of jobs) {
    const { uid, name } = job.metadata;
    const end = endOf(job);
    if (end && isListed(cronJob, job)) {
      forget(uid);
      const message = `Saw completed job: ${name}, condition: ${end}`;
      events.event(cronJob, "Normal", "SawCompletedJob", message);
    }
    const { completionTime } = job.status ?? {};
    if (end !== "Complete" || !completionTime) continue;
    if (!lastSuccessfulTime || completionTime > lastSuccessfulTime) {
      lastSuccessfulTime = completionTime;
    }
  }
  const there = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, namespace = "", name = "" } of active) {
    if (there.has(uid)) continue;
    // The watch may be late, so the server is asked.
    if (await exists(namespace, name, client)) continue;
    const message = `Active job went missing: ${name}`;
    events.event(cronJob, "Normal", "MissingJob", message);
    forget(uid);
  }
  const status = { ...cronJob.status, active, lastSuccessfulTime };
  return { ...cronJob, status };
}

function isListed({ status }: CronJob, { metadata }: Job): boolean {
  return (status?.active ?? []).some(({ uid }) => uid === metadata.uid);
}

/** A running Job is not on the list: perhaps our copy of the list is old. */
async function withList(
  known: CronJob,
  jobs: readonly Job[],
  { client, events }: ComponentContext,
): Promise<CronJob> {
  const strays = jobs.filter((job) => !endOf(job) && !isListed(known, job));
  if (strays.length === 0) return known;
  const { namespace = "", name } = known.metadata;
  const latest = await client.get(CronJob, namespace, name);
  for (const job of strays) {
    if (isListed(latest, job)) continue;
    const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
    events.event(latest, "Warning", "UnexpectedJob", message);
  }
  return latest;
}

async function exists(
  namespace: string,
  name: string,
  client: ComponentContext["client"],
): Promise<boolean> {
  try {
    await client.get(Job, namespace, name);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
