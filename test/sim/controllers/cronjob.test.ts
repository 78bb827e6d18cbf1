/** CronJobs: what a changed schedule starts, what is replaced and cleaned up. */
import { describe, expect, it } from "vitest";
import { CronJob } from "../../../sim/src/api/kinds/cronjob.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Job } from "../../../sim/src/api/kinds/job.ts";
import { type TestCluster, testCluster } from "./cluster.ts";

const MINUTE_MS = 60_000;

function cronJob(schedule: string, spec: Partial<CronJob["spec"]> = {}): CronJob {
  const containers = [{ name: "c", image: "x" }];
  const template = { spec: { restartPolicy: "Never", containers } };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "tick", namespace: "default" },
    spec: { schedule, jobTemplate: { spec: { template } }, ...spec },
  };
}

async function started(one: CronJob): Promise<TestCluster> {
  const cluster = testCluster();
  cluster.start({ controllers: ["cronjob-controller"] });
  await cluster.make(CronJob, one);
  return cluster;
}

async function finish(cluster: TestCluster, job: Job, startTime: string): Promise<void> {
  const { kernel, client, act } = cluster;
  const now = kernel.timestamp();
  const conditions = ["SuccessCriteriaMet", "Complete"].map((type) => ({ type, status: "True" }));
  const status = { startTime, completionTime: now, conditions, succeeded: 1 };
  await act(() => client.updateStatus(Job, { ...job, status }));
}

describe("a CronJob", () => {
  it("starts nothing at once when its schedule changes", async () => {
    const cluster = await started(cronJob("0 0 1 1 *"));
    const { act, client, list, run } = cluster;
    await run(5 * MINUTE_MS + 10_000);
    const body = { spec: { schedule: "*/2 * * * *" } };
    await act(() => client.patch(CronJob, "default", "tick", "application/merge-patch+json", body));
    await run(5_000);
    expect(await list(Job)).toHaveLength(0);
    await run(2 * MINUTE_MS);
    expect(await list(Job)).toHaveLength(1);
  });

  it("replaces what still runs", async () => {
    const cluster = await started(cronJob("* * * * *", { concurrencyPolicy: "Replace" }));
    const { list, read, run } = cluster;
    await run(2 * MINUTE_MS + 5_000);
    const jobs = await list(Job);
    expect(jobs).toHaveLength(1);
    const { status } = await read(CronJob, "tick");
    expect(status?.active?.map(({ name }) => name)).toEqual(
      jobs.map(({ metadata }) => metadata.name),
    );
    const told = (await list(Event)).map(({ reason }) => reason);
    expect(told.filter((reason) => reason === "SuccessfulDelete")).toHaveLength(1);
    expect(told).not.toContain("FailedGet");
  });

  it("keeps of Jobs that started together the one whose name comes last", async () => {
    const cluster = await started(cronJob("* * * * *", { successfulJobsHistoryLimit: 1 }));
    const { act, kernel, list, run, client } = cluster;
    await run(2 * MINUTE_MS + 5_000);
    const jobs = await list(Job);
    expect(jobs).toHaveLength(2);
    const suspend = { spec: { suspend: true } };
    await act(() =>
      client.patch(CronJob, "default", "tick", "application/merge-patch+json", suspend),
    );
    const at = kernel.timestamp();
    for (const job of jobs.toReversed()) await finish(cluster, job, at);
    await run(5_000);
    const left = (await list(Job)).map(({ metadata }) => metadata.name);
    expect(left).toEqual([jobs[1]?.metadata.name]);
  });
});
