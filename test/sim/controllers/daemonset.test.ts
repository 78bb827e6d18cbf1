/** DaemonSets: failed Pods, and what a rollout may take away. */
import { describe, expect, it } from "vitest";
import { DaemonSet } from "../../../sim/src/api/kinds/daemonset.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { DaemonSetUpdateStrategy } from "../../../sim/src/api/kinds/types/apps.ts";
import { podFor } from "../../../sim/src/controllers/daemonset/placement.ts";
import { node, type TestCluster, testCluster } from "./cluster.ts";

type Rolling = DaemonSetUpdateStrategy["rollingUpdate"];

function daemonSet(image: string, rollingUpdate: Rolling = {}): DaemonSet {
  const spec = { nodeSelector: { role: "worker" }, containers: [{ name: "c", image }] };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "d", namespace: "default" },
    spec: {
      selector: { matchLabels: { app: "d" } },
      updateStrategy: { type: "RollingUpdate", rollingUpdate },
      template: { metadata: { labels: { app: "d" } }, spec },
    },
  };
}

async function started(nodes: number, set: DaemonSet): Promise<TestCluster> {
  const cluster = testCluster();
  cluster.start({ controllers: ["*", "-node-lifecycle-controller"] });
  for (let i = 1; i <= nodes; i++) {
    await cluster.make(Node, node(`n${i}`, "True", { role: "worker" }));
    await taint(cluster, `n${i}`, []);
  }
  await cluster.make(DaemonSet, set);
  await cluster.run(1_000);
  await bind(cluster);
  return cluster;
}

async function taint({ act, client }: TestCluster, name: string, taints: object[]) {
  const type = "application/merge-patch+json";
  await act(() => client.patch(Node, "", name, type, { spec: { taints } }));
}

/** What scheduler and kubelet would do; Pods on `broken` do not get ready. */
async function bind(cluster: TestCluster, broken: readonly string[] = []): Promise<void> {
  const { act, client, kernel, list, run } = cluster;
  for (const one of await list(Pod)) {
    const { metadata, status } = one;
    const terms = one.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    const name = terms?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0] ?? "";
    if (metadata.deletionTimestamp) {
      await act(() => client.delete(Pod, "default", metadata.name, { gracePeriodSeconds: 0 }));
      continue;
    }
    if (status?.phase === "Failed") continue;
    if (!one.spec.nodeName) {
      const target = { apiVersion: "v1", kind: "Node", name };
      const about = { name: metadata.name, namespace: "default" };
      const binding = { apiVersion: "v1", kind: "Binding", metadata: about, target };
      await act(() => client.createSub(Pod, "default", metadata.name, "binding", binding));
    }
    const fresh = await cluster.read(Pod, metadata.name);
    const ready = broken.includes(name) ? "False" : "True";
    const condition = { type: "Ready", status: ready, lastTransitionTime: kernel.timestamp() };
    const next = { ...fresh.status, phase: "Running", conditions: [condition] };
    await act(() => client.updateStatus(Pod, { ...fresh, status: next }));
  }
  await run(1_000);
}

async function images({ list }: TestCluster): Promise<string[]> {
  const alive = (await list(Pod)).filter(({ metadata }) => !metadata.deletionTimestamp);
  return alive.map(({ spec }) => `${spec.nodeName} ${spec.containers[0]?.image}`).toSorted();
}

async function setImage({ act, client, run }: TestCluster, image: string): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: "c", image }] } } } };
  const type = "application/strategic-merge-patch+json";
  await act(() => client.patch(DaemonSet, "default", "d", type, body));
  await run(1_000);
}

describe("a DaemonSet", () => {
  it("counts an old Pod that is broken against what may be unavailable", async () => {
    const cluster = await started(3, daemonSet("x:1", { maxUnavailable: 1 }));
    await bind(cluster, ["n2"]);
    await setImage(cluster, "x:2");
    const left = (await images(cluster)).filter((one) => one.endsWith("x:1"));
    expect(left).toEqual(["n1 x:1", "n3 x:1"]);
  });

  it("waits longer and longer before it kills a failed Pod, and tells it then", async () => {
    const cluster = await started(1, daemonSet("x:1"));
    const { act, client, list, run, kernel } = cluster;
    const killed: number[] = [];
    for (let round = 0; round < 3; round++) {
      const alive = (await list(Pod)).filter(({ metadata }) => !metadata.deletionTimestamp);
      const [pod] = alive;
      if (!pod) throw new Error("no Pod");
      const status = { ...pod.status, phase: "Failed" };
      await act(() => client.updateStatus(Pod, { ...pod, status }));
      const from = kernel.now();
      while ((await list(Pod)).some(({ metadata: m }) => m.uid === pod.metadata.uid)) {
        await run(100);
      }
      killed.push(Math.round((kernel.now() - from) / 1_000));
      await run(200);
    }
    expect(killed).toEqual([0, 1, 2]);
    const told = (await list(Event)).filter(({ reason }) => reason === "FailedDaemonPod");
    expect(told.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(3);
  });

  it("that surges keeps an old Pod off its Nodes until the others serve", async () => {
    const cluster = await started(2, daemonSet("x:1", { maxSurge: 1, maxUnavailable: 0 }));
    const { run } = cluster;
    await bind(cluster);
    // A taint without an effect on Pods that run: the Pod may stay, not come.
    await taint(cluster, "n2", [{ key: "full", effect: "NoSchedule" }]);
    await bind(cluster, ["n1"]);
    await setImage(cluster, "x:2");
    expect(await images(cluster)).toContain("n2 x:1");
    expect(await images(cluster)).not.toContain("n2 x:2");
    await bind(cluster);
    await run(1_000);
    await bind(cluster);
    await run(2_000);
    expect(await images(cluster)).toEqual(["n1 x:2"]);
  });

  it("that surges deletes each old Pod once", async () => {
    const cluster = await started(3, daemonSet("x:1", { maxSurge: 1, maxUnavailable: 0 }));
    await setImage(cluster, "x:2");
    for (let round = 0; round < 8; round++) await bind(cluster);
    expect(await images(cluster)).toEqual(["n1 x:2", "n2 x:2", "n3 x:2"]);
    const events = (await cluster.list(Event)).filter(
      ({ reason }) => reason === "SuccessfulDelete",
    );
    expect(events.map(({ count }) => count ?? 1)).toEqual([1, 1, 1]);
  });

  it("leaves a toleration that its template has where it stands", () => {
    const set = daemonSet("x");
    const given = [
      { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
      { key: "a", operator: "Exists" },
    ];
    const spec = { ...set.spec.template.spec, tolerations: given };
    const changed = { ...set, spec: { ...set.spec, template: { ...set.spec.template, spec } } };
    const keys = podFor(changed, "n1", "h").spec.tolerations?.map(({ key = "" }) =>
      key.replace("node.kubernetes.io/", ""),
    );
    const own = ["not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure"];
    expect(keys).toEqual(["unschedulable", "a", ...own]);
  });
});
