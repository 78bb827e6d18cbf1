/**
 * Keeps the list of running Jobs in the status.
 * Models: pkg/controller/cronjob/cronjob_controllerv2.go (syncCronJob) @ v1.36
 */
import type { CronJob } from "../../api/kinds/cronjob.ts";
import { Job } from "../../api/kinds/job.ts";
import type { CronJobStatus } from "../../api/kinds/types/batch.ts";
import { isNotFound } from "../../api/status.ts";
import type { ComponentContext } from "../../client/component.ts";
import { endOf } from "./jobs.ts";

/** The status with ended and lost Jobs taken off the list. */
export async function followJobs(
  cronJob: CronJob,
  jobs: readonly Job[],
  { client, events }: ComponentContext,
): Promise<CronJobStatus> {
  let active = [...(cronJob.status?.active ?? [])];
  let lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
  const forget = (uid: string | undefined) => {
    active = active.filter((one) => one.uid !== uid);
  };
  for (const job of jobs) {
    const { uid, name } = job.metadata;
    const isListed = active.some((one) => one.uid === uid);
    const end = endOf(job);
    if (!isListed && !end) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      events.event(cronJob, "Warning", "UnexpectedJob", message);
    } else if (isListed && end) {
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
  const known = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, namespace = "", name = "" } of active) {
    if (known.has(uid)) continue;
    // The watch may be late, so the server is asked.
    if (await exists(namespace, name, client)) continue;
    const message = `Active job went missing: ${name}`;
    events.event(cronJob, "Normal", "MissingJob", message);
    forget(uid);
  }
  return { ...cronJob.status, active, lastSuccessfulTime };
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
