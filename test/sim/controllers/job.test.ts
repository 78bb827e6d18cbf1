/** Jobs: suspended, adopted, orphaned, and with a limit for each index. */
import { describe, expect, it } from "vitest";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Job } from "../../../sim/src/api/kinds/job.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { pod, type TestCluster, testCluster } from "./cluster.ts";

const FINALIZER = "batch.kubernetes.io/job-tracking";

function job(spec: Partial<Job["spec"]> = {}): Job {
  const container = { name: "c", image: "x" };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "j", namespace: "default" },
    spec: {
      template: { spec: { restartPolicy: "Never", containers: [container] } },
      ...spec,
    },
  };
}

async function started(spec: Partial<Job["spec"]>): Promise<TestCluster> {
  const cluster = testCluster();
  cluster.start();
  await cluster.make(Job, job(spec));
  await cluster.run(2_000);
  return cluster;
}

/** What the kubelet would do: Pods that are to go are gone at once. */
async function removeDeleted({ act, client, list, run }: TestCluster): Promise<void> {
  const dying = (await list(Pod)).filter(({ metadata }) => metadata.deletionTimestamp);
  for (const { metadata } of dying) {
    const options = { gracePeriodSeconds: 0 };
    await act(() => client.delete(Pod, "default", metadata.name, options));
  }
  await run(3_000);
}

async function end(cluster: TestCluster, index: number, phase: string): Promise<void> {
  const all = await cluster.list(Pod);
  const key = "batch.kubernetes.io/job-completion-index";
  const running = all.filter(({ status }) => status?.phase === "Pending");
  const found = running.find(({ metadata }) => metadata.annotations?.[key] === `${index}`);
  if (!found) throw new Error(`no Pod of index ${index} runs`);
  const status = { ...found.status, phase };
  await cluster.act(() => cluster.client.updateStatus(Pod, { ...found, status }));
  await cluster.run(3_000);
}

describe("a Job", () => {
  it("that is suspended loses its Pods, not its tries, and its start time", async () => {
    const cluster = await started({ parallelism: 2, completions: 2, backoffLimit: 0 });
    const { act, client, read, run } = cluster;
    const patch = (suspend: boolean) =>
      act(() =>
        client.patch(Job, "default", "j", "application/merge-patch+json", { spec: { suspend } }),
      );
    expect((await read(Job, "j")).status).toMatchObject({ active: 2 });
    await patch(true);
    await run(500);
    const pods = await cluster.list(Pod);
    expect(pods.map(({ metadata }) => metadata.finalizers)).toEqual([]);
    await run(2_000);
    await removeDeleted(cluster);
    const { status } = await read(Job, "j");
    expect(status?.failed).toBeUndefined();
    expect(status?.startTime).toBeUndefined();
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      "Suspended JobSuspended",
    ]);
    await patch(false);
    await run(2_000);
    const after = (await read(Job, "j")).status;
    expect(after).toMatchObject({ active: 2, ready: 0 });
    expect(after?.startTime).toBeDefined();
    expect(after?.conditions?.[0]).toMatchObject({ status: "False", reason: "JobResumed" });
  });

  it("of fewer Pods at once deletes the rest without counting them", async () => {
    const cluster = await started({ parallelism: 3, completions: 3 });
    const { act, client, read, run } = cluster;
    const body = { spec: { parallelism: 1 } };
    await act(() => client.patch(Job, "default", "j", "application/merge-patch+json", body));
    await run(3_000);
    expect((await read(Job, "j")).status).toMatchObject({ active: 1 });
    expect((await read(Job, "j")).status?.failed).toBeUndefined();
  });

  it("gives its finalizer to a Pod that it adopts, and counts its end", async () => {
    const selector = { matchLabels: { app: "a" } };
    const template = { metadata: { labels: { app: "a" } }, ...job().spec.template };
    const cluster = testCluster();
    const { act, client, make, read, run } = cluster;
    cluster.start();
    await run(1_000);
    await make(Pod, pod("stray", { restartPolicy: "Never" }, { app: "a" }));
    await make(Job, job({ manualSelector: true, selector, template }));
    await run(2_000);
    const stray = await read(Pod, "stray");
    expect(stray.metadata.finalizers).toEqual([FINALIZER]);
    expect(stray.metadata.ownerReferences).toMatchObject([{ kind: "Job", name: "j" }]);
    expect(await cluster.list(Pod)).toHaveLength(1);
    const status = { ...stray.status, phase: "Succeeded" };
    await act(() => client.updateStatus(Pod, { ...stray, status }));
    await run(3_000);
    expect((await read(Job, "j")).status).toMatchObject({ succeeded: 1 });
    expect((await read(Pod, "stray")).metadata.finalizers).toBeUndefined();
  });

  it("that is orphaned leaves Pods without its finalizer", async () => {
    const cluster = await started({});
    const { act, client, run } = cluster;
    await act(() => client.delete(Job, "default", "j", { propagationPolicy: "Orphan" }));
    await run(5_000);
    const [left] = await cluster.list(Pod);
    expect(left?.metadata.ownerReferences).toBeUndefined();
    expect(left?.metadata.finalizers).toBeUndefined();
  });

  it("leaves the finalizer on Pods of other owners and other controllers", async () => {
    const cluster = testCluster();
    const { act, client, make, read, run } = cluster;
    cluster.start();
    await run(1_000);
    const external = job({ managedBy: "example.com/queue" });
    const made = await make(Job, external);
    const owned = (kind: string, name: string, uid: string) => {
      const apiVersion = kind === "Job" ? "batch/v1" : "example.com/v1";
      const owner = { apiVersion, kind, name, uid, controller: true };
      const one = pod(`of-${kind.toLowerCase()}`);
      const metadata = { ...one.metadata, finalizers: [FINALIZER], ownerReferences: [owner] };
      return { ...one, metadata };
    };
    await make(Pod, owned("Job", "j", made.metadata.uid ?? ""));
    await run(1_000);
    await act(() => client.delete(Pod, "default", "of-job", { gracePeriodSeconds: 0 }));
    await run(3_000);
    expect((await read(Pod, "of-job")).metadata.finalizers).toEqual([FINALIZER]);
    expect((await read(Job, "j")).status?.startTime).toBeUndefined();
  });

  it("goes on counting what runs while an index is given up", async () => {
    const cluster = await started({
      completionMode: "Indexed",
      completions: 3,
      parallelism: 3,
      backoffLimitPerIndex: 0,
    });
    // None yet, which is not the same as no limit for each index.
    expect((await cluster.read(Job, "j")).status?.failedIndexes).toBe("");
    await end(cluster, 1, "Failed");
    expect((await cluster.read(Job, "j")).status).toMatchObject({
      active: 2,
      failed: 1,
      failedIndexes: "1",
    });
    await end(cluster, 0, "Succeeded");
    await end(cluster, 2, "Succeeded");
    const { status } = await cluster.read(Job, "j");
    expect(status).toMatchObject({ succeeded: 2, failed: 1, completedIndexes: "0,2" });
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      "FailureTarget FailedIndexes",
      "Failed FailedIndexes",
    ]);
  });

  it("has its finalizer once, even if the template names it", async () => {
    const template = { metadata: { finalizers: [FINALIZER] }, ...job().spec.template };
    const cluster = await started({ template });
    const [made] = await cluster.list(Pod);
    expect(made?.metadata.finalizers).toEqual([FINALIZER]);
  });

  it("tells each deletion that a suspension asks for", async () => {
    const cluster = await started({ parallelism: 1 });
    const { act, client, list, run } = cluster;
    const body = { spec: { suspend: true } };
    await act(() => client.patch(Job, "default", "j", "application/merge-patch+json", body));
    await run(2_000);
    const reasons = (await list(Event)).map(({ reason }) => reason);
    expect(reasons).toEqual(expect.arrayContaining(["SuccessfulDelete", "Suspended"]));
  });
});
