/** StatefulSets: what becomes of claims, and how a new template goes through. */
import { describe, expect, it } from "vitest";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { PersistentVolumeClaim } from "../../../sim/src/api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { StatefulSet } from "../../../sim/src/api/kinds/statefulset.ts";
import { runPods, type TestCluster, testCluster } from "./cluster.ts";

type Policy = StatefulSet["spec"]["persistentVolumeClaimRetentionPolicy"];

function statefulSet(replicas: number, policy?: Policy, rollingUpdate = {}): StatefulSet {
  const container = { name: "c", image: "x:1", volumeMounts: [{ name: "data", mountPath: "/d" }] };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "s", namespace: "default" },
    spec: {
      replicas,
      serviceName: "s",
      podManagementPolicy: "Parallel",
      selector: { matchLabels: { app: "s" } },
      template: { metadata: { labels: { app: "s" } }, spec: { containers: [container] } },
      updateStrategy: { type: "RollingUpdate", rollingUpdate },
      persistentVolumeClaimRetentionPolicy: policy,
      volumeClaimTemplates: [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: "data" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      ],
    },
  };
}

/** The set with its Pods ready. */
async function started(set: StatefulSet): Promise<TestCluster> {
  const cluster = testCluster();
  cluster.start({ controllers: ["*", "-node-lifecycle-controller"] });
  await cluster.make(StatefulSet, set);
  await settle(cluster);
  return cluster;
}

async function settle(cluster: TestCluster): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await cluster.run(2_000);
    await runPods(cluster);
  }
  await cluster.run(2_000);
}

/** `data-s-0 of StatefulSet`: each claim, and with whom it goes. */
async function claims({ list }: TestCluster): Promise<string[]> {
  return (await list(PersistentVolumeClaim)).map(({ metadata }) => {
    const owners = (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
    return [metadata.name, ...owners].join(" of ");
  });
}

async function scale({ act, client, read }: TestCluster, replicas: number): Promise<void> {
  const set = await read(StatefulSet, "s");
  await act(() => client.update(StatefulSet, { ...set, spec: { ...set.spec, replicas } }));
}

const remove = ({ act, client }: TestCluster) =>
  act(() => client.delete(StatefulSet, "default", "s", { propagationPolicy: "Background" }));

describe("claims of a StatefulSet", () => {
  it("are kept, unless told otherwise", async () => {
    const cluster = await started(statefulSet(2));
    expect(await claims(cluster)).toEqual(["data-s-0", "data-s-1"]);
    await scale(cluster, 1);
    await settle(cluster);
    await remove(cluster);
    await settle(cluster);
    expect(await cluster.list(Pod)).toEqual([]);
    expect(await claims(cluster)).toEqual(["data-s-0", "data-s-1"]);
  });

  it("go with the set, and not when it is scaled down", async () => {
    const cluster = await started(statefulSet(2, { whenDeleted: "Delete", whenScaled: "Retain" }));
    const both = ["data-s-0 of StatefulSet s", "data-s-1 of StatefulSet s"];
    expect(await claims(cluster)).toEqual(both);
    await scale(cluster, 1);
    await settle(cluster);
    expect((await cluster.list(Pod)).map(({ metadata }) => metadata.name)).toEqual(["s-0"]);
    expect(await claims(cluster)).toEqual(both);
    await remove(cluster);
    await settle(cluster);
    expect(await claims(cluster)).toEqual([]);
  });

  it("go with the Pods that are beyond, and are kept when the set goes", async () => {
    const cluster = await started(statefulSet(3, { whenDeleted: "Retain", whenScaled: "Delete" }));
    expect(await claims(cluster)).toEqual(["data-s-0", "data-s-1", "data-s-2"]);
    await scale(cluster, 1);
    await settle(cluster);
    expect(await claims(cluster)).toEqual(["data-s-0"]);
    await remove(cluster);
    await settle(cluster);
    expect(await claims(cluster)).toEqual(["data-s-0"]);
  });

  it("go either way", async () => {
    const cluster = await started(statefulSet(2, { whenDeleted: "Delete", whenScaled: "Delete" }));
    await scale(cluster, 1);
    await settle(cluster);
    expect(await claims(cluster)).toEqual(["data-s-0 of StatefulSet s"]);
    // Scaled up again, the ordinal gets a claim of its own.
    await scale(cluster, 2);
    await settle(cluster);
    expect(await claims(cluster)).toEqual([
      "data-s-0 of StatefulSet s",
      "data-s-1 of StatefulSet s",
    ]);
    await remove(cluster);
    await settle(cluster);
    expect(await claims(cluster)).toEqual([]);
  });

  it("have no other policies", async () => {
    const set = statefulSet(1, { whenDeleted: "Keep", whenScaled: "Retain" });
    await expect(started(set)).rejects.toThrow(
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
    );
  });

  it("change their owners when the policy changes", async () => {
    const cluster = await started(statefulSet(1, { whenDeleted: "Delete", whenScaled: "Retain" }));
    const set = await cluster.read(StatefulSet, "s");
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: "Retain", whenScaled: "Retain" };
    const spec = { ...set.spec, persistentVolumeClaimRetentionPolicy };
    await cluster.act(() => cluster.client.update(StatefulSet, { ...set, spec }));
    await settle(cluster);
    expect(await claims(cluster)).toEqual(["data-s-0"]);
  });
});

describe("a Pod of a StatefulSet", () => {
  const events = async ({ list }: TestCluster) =>
    (await list(Event)).map(({ reason, message }) => `${reason}: ${message}`);

  it("that failed is deleted, and made anew once it is gone; only that is told", async () => {
    const cluster = await started(statefulSet(1));
    const { act, client, read, run } = cluster;
    const pod = await read(Pod, "s-0");
    const status = { ...pod.status, phase: "Failed" };
    await act(() => client.updateStatus(Pod, { ...pod, status }));
    await run(2_000);
    const next = await read(Pod, "s-0");
    expect(next.metadata.uid).not.toBe(pod.metadata.uid);
    const told = await events(cluster);
    expect(told).toContain("SuccessfulDelete: Delete Pod s-0 in StatefulSet s successful");
    expect(told.filter((one) => one.startsWith("Recreating"))).toEqual([]);
  });

  it("is not made while a claim of it is being deleted", async () => {
    const cluster = await started(statefulSet(1));
    const { act, client, read, run, list } = cluster;
    const claim = await read(PersistentVolumeClaim, "data-s-0");
    const metadata = { ...claim.metadata, finalizers: ["example.com/hold"] };
    await act(() => client.update(PersistentVolumeClaim, { ...claim, metadata }));
    await act(() => client.delete(PersistentVolumeClaim, "default", "data-s-0"));
    await run(500);
    await act(() => client.delete(Pod, "default", "s-0", { gracePeriodSeconds: 0 }));
    await run(2_000);
    expect(await list(Pod)).toEqual([]);
    expect(await events(cluster)).toContain(
      "FailedCreate: Create Pod s-0 in StatefulSet s failed error: pvc data-s-0 is being deleted",
    );
    const held = await read(PersistentVolumeClaim, "data-s-0");
    const free = { ...held, metadata: { ...held.metadata, finalizers: [] } };
    await act(() => client.update(PersistentVolumeClaim, free));
    await run(5_000);
    expect(await list(Pod)).toHaveLength(1);
  });
});

describe("a new template of a StatefulSet", () => {
  it("goes one Pod at a time: 1.36 drops maxUnavailable", async () => {
    const cluster = await started(statefulSet(3, undefined, { maxUnavailable: 2 }));
    const set = await cluster.read(StatefulSet, "s");
    expect(set.spec.updateStrategy?.rollingUpdate).toEqual({ partition: 0 });
    const template = {
      ...set.spec.template,
      spec: { containers: [{ name: "c", image: "x:2" }] },
    };
    const next = { ...set, spec: { ...set.spec, template } };
    await cluster.act(() => cluster.client.update(StatefulSet, next));
    await cluster.run(2_000);
    const images = async () =>
      (await cluster.list(Pod)).map(({ spec }) => spec.containers[0]?.image ?? "");
    expect(await images()).toEqual(["x:1", "x:1", "x:2"]);
    await settle(cluster);
    expect(await images()).toEqual(["x:2", "x:2", "x:2"]);
  });
});

describe("a rollout of a StatefulSet", () => {
  it("counts a Pod that it just deleted as of no revision, in one status", async () => {
    const cluster = await started(statefulSet(2));
    const { act, client, read, kernel } = cluster;
    const set = await read(StatefulSet, "s");
    const seen: string[] = [];
    const list = await act(() => client.list(StatefulSet, "default"));
    const { resourceVersion } = list.metadata;
    await act(() =>
      client.watch(
        StatefulSet,
        "default",
        { resourceVersion },
        {
          onEvent: ({ object }) => {
            const { status, metadata } = object as StatefulSet;
            if (!status || status.observedGeneration !== metadata.generation) return;
            seen.push(`${status.currentReplicas ?? 0} ${status.updatedReplicas ?? 0}`);
          },
          onEnd: () => {},
        },
      ),
    );
    const [container] = set.spec.template.spec.containers;
    const template = {
      ...set.spec.template,
      spec: { containers: [{ ...container!, image: "x:2" }] },
    };
    await act(() => client.update(StatefulSet, { ...set, spec: { ...set.spec, template } }));
    await kernel.run({ untilMs: kernel.now() + 500 });
    expect(seen[0]).toBe("1 0");
  });
});
