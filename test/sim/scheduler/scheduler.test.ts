import { describe, expect, it } from "vitest";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { PodDisruptionBudget } from "../../../sim/src/api/kinds/poddisruptionbudget.ts";
import { PriorityClass } from "../../../sim/src/api/kinds/priorityclass.ts";
import { nodeOf, podOf } from "./objects.ts";
import { clusterWith, TestCluster } from "./support.ts";

describe("kube-scheduler", () => {
  it("binds a Pod and says so on an Event", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(podOf("web", { cpu: "1" }));
    expect(await cluster.places()).toEqual({ web: "n1" });
    expect(await cluster.events()).toEqual([
      "Scheduled web: Successfully assigned default/web to n1",
    ]);
  });

  it("says why a Pod fits nowhere, to the letter", async () => {
    const taints = [{ key: "dedicated", value: "db", effect: "NoSchedule" }];
    const cluster = await clusterWith([
      nodeOf("n1"),
      nodeOf("n2", { cpu: "2", memory: "1Gi" }),
      nodeOf("n3", { taints }),
      nodeOf("n4", { unschedulable: true }),
    ]);
    await cluster.create(podOf("big", { cpu: "8", memory: "2Gi" }));
    const message =
      "0/4 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), " +
      "1 node(s) were unschedulable, 2 Insufficient cpu. no new claims to deallocate, " +
      "preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
    expect(await cluster.events()).toEqual([`FailedScheduling big: ${message}`]);
    const { status } = await cluster.pod("big");
    const condition = status?.conditions?.find(({ type }) => type === "PodScheduled");
    expect(condition).toMatchObject({ status: "False", reason: "Unschedulable", message });
  });

  it("waits while there is no Node, and schedules when one comes", async () => {
    const cluster = await clusterWith([]);
    await cluster.create(podOf("web"));
    expect(await cluster.events()).toEqual([
      "FailedScheduling web: no nodes available to schedule pods",
    ]);
    await cluster.create(nodeOf("n1"));
    expect(await cluster.places()).toEqual({ web: "n1" });
  });

  it("tries a Pod again when a taint is taken away, not before", async () => {
    const taints = [{ key: "a", effect: "NoSchedule" }];
    const cluster = await clusterWith([nodeOf("n1", { taints })]);
    await cluster.create(podOf("web"));
    await cluster.run(60_000);
    expect(await cluster.places()).toEqual({ web: "" });
    expect(await cluster.events()).toHaveLength(1);
    await cluster.act(async (admin) => {
      const node = await admin.get(Node, "", "n1");
      await admin.update(Node, { ...node, spec: { ...node.spec, taints: [] } });
    });
    expect(await cluster.places()).toEqual({ web: "n1" });
  });

  it("tries a Pod again when another goes and leaves room", async () => {
    const cluster = await clusterWith([nodeOf("n1", { cpu: "2" })]);
    await cluster.create(podOf("a", { cpu: "2" }));
    await cluster.create(podOf("b", { cpu: "2" }));
    expect(await cluster.places()).toEqual({ a: "n1", b: "" });
    await cluster.act((admin) => admin.delete(Pod, "default", "a", { gracePeriodSeconds: 0 }));
    expect(await cluster.places()).toEqual({ b: "n1" });
  });

  it("keeps a gated Pod out until its last gate is gone", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(
      podOf("web", { spec: { schedulingGates: [{ name: "example.com/wait" }] } }),
    );
    expect(await cluster.places()).toEqual({ web: "" });
    expect(await cluster.events()).toEqual([]);
    await cluster.act(async (admin) => {
      const pod = await admin.get(Pod, "default", "web");
      await admin.update(Pod, { ...pod, spec: { ...pod.spec, schedulingGates: [] } });
    });
    expect(await cluster.places()).toEqual({ web: "n1" });
  });

  it("leaves Pods of other schedulers alone", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(podOf("web", { spec: { schedulerName: "mine" } }));
    expect(await cluster.places()).toEqual({ web: "" });
    expect(await cluster.events()).toEqual([]);
  });

  it("counts the room of Pods that are bound but not yet confirmed", async () => {
    const cluster = await clusterWith([nodeOf("n1", { cpu: "2" }), nodeOf("n2", { cpu: "2" })]);
    await cluster.create(...["a", "b", "c", "d", "e"].map((name) => podOf(name, { cpu: "1" })));
    const places = Object.values(await cluster.places());
    expect(places.filter((place) => place === "n1")).toHaveLength(2);
    expect(places.filter((place) => place === "n2")).toHaveLength(2);
    expect(places.filter((place) => place === "")).toHaveLength(1);
  });

  it("puts a more important Pod in the place of a less important one", async () => {
    const cluster = await clusterWith([nodeOf("n1", { cpu: "2" })]);
    await cluster.act(async (admin) => {
      await admin.create(PriorityClass, {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "high" },
        value: 1000,
      });
      await admin.create(PodDisruptionBudget, {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "db", namespace: "default" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "db" } } },
      });
    });
    await cluster.create(podOf("a", { cpu: "1", labels: { app: "db" } }), podOf("b", { cpu: "1" }));
    await cluster.create(podOf("vip", { cpu: "1", spec: { priorityClassName: "high" } }));
    await cluster.run(1000);
    const victim = await cluster.pod("b");
    expect(victim.metadata.deletionTimestamp).toBeDefined();
    expect(victim.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: "DisruptionTarget",
        status: "True",
        reason: "PreemptionByScheduler",
        message: "default-scheduler: preempting to accommodate a higher priority pod",
      }),
    );
    const vip = await cluster.pod("vip");
    expect(vip.status?.nominatedNodeName).toBe("n1");
    expect(vip.spec.nodeName).toBeUndefined();
    const preempted = `Preempted b: Preempted by pod ${vip.metadata.uid} on node n1`;
    expect(await cluster.events()).toContain(preempted);
    await cluster.act((admin) => admin.delete(Pod, "default", "b", { gracePeriodSeconds: 0 }));
    expect(await cluster.places()).toEqual({ a: "n1", vip: "n1" });
  });

  it("lets one scheduler lead and another take over", async () => {
    const { cluster, schedulers } = await clusterWithTwoSchedulers();
    await cluster.create(podOf("a"));
    expect(await cluster.places()).toEqual({ a: "n1" });
    schedulers[0]?.stop();
    await cluster.run(60_000);
    await cluster.create(podOf("b"));
    expect(await cluster.places()).toEqual({ a: "n1", b: "n1" });
  });

  it("makes the same run of the same seed", async () => {
    const hash = async () => {
      const cluster = await clusterWith(
        ["n1", "n2", "n3"].map((name) => nodeOf(name)),
        7,
      );
      await cluster.create(...Array.from({ length: 9 }, (_, i) => podOf(`p${i}`, { cpu: "1" })));
      return { places: await cluster.places(), hash: cluster.kernel.trace.hash() };
    };
    expect(await hash()).toEqual(await hash());
  });
});

async function clusterWithTwoSchedulers() {
  const cluster = new TestCluster(5);
  await cluster.prepare();
  await cluster.create(nodeOf("n1"));
  const schedulers = ["cp-1", "cp-2"].map((host) =>
    cluster.startScheduler({ leaderElection: { identity: host } }, `kube-scheduler/${host}`),
  );
  await cluster.run(5000);
  return { cluster, schedulers };
}
