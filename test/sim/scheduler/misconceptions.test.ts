/** What learners get wrong about the scheduler: each right answer is run here. */
import { describe, expect, it } from "vitest";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { nodeOf, podOf } from "./objects.ts";
import { clusterWith, type TestCluster } from "./support.ts";

const ZONE = "topology.kubernetes.io/zone";

async function taint(cluster: TestCluster, name: string, effect: string): Promise<void> {
  await cluster.act(async (admin) => {
    const node = await admin.get(Node, "", name);
    const taints = [{ key: "maintenance", effect }];
    await admin.update(Node, { ...node, spec: { ...node.spec, taints } });
  });
}

describe("misconceptions about the scheduler", () => {
  it("28: does not rebalance: a bound Pod is never moved", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(...["a", "b", "c", "d"].map((name) => podOf(name, { cpu: "1" })));
    await cluster.create(nodeOf("n2"));
    await cluster.run(600_000);
    expect(await cluster.places()).toEqual({ a: "n1", b: "n1", c: "n1", d: "n1" });
    await cluster.create(podOf("e", { cpu: "1" }));
    expect((await cluster.places()).e).toBe("n2");
  });

  it("29: NoSchedule keeps new Pods away and leaves running ones alone", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(podOf("old"));
    await taint(cluster, "n1", "NoSchedule");
    await cluster.create(podOf("new"));
    await cluster.run(60_000);
    expect(await cluster.places()).toEqual({ old: "n1", new: "" });
    expect((await cluster.pod("old")).metadata.deletionTimestamp).toBeUndefined();
  });

  it("30: requests fill a Node, though nothing uses its CPU", async () => {
    const cluster = await clusterWith([nodeOf("n1", { cpu: "4" })]);
    await cluster.create(podOf("idle", { cpu: "3" }));
    await cluster.create(podOf("web", { cpu: "2" }));
    expect(await cluster.places()).toEqual({ idle: "n1", web: "" });
    expect((await cluster.events()).at(-1)).toContain(
      "0/1 nodes are available: 1 Insufficient cpu.",
    );
  });

  it("31: a Pod of 2 CPUs does not fit on ten Nodes with 1 CPU free each", async () => {
    const nodes = Array.from({ length: 10 }, (_, i) => nodeOf(`n${i}`, { cpu: "2" }));
    const cluster = await clusterWith(nodes);
    const fillers = nodes.map((_, i) => podOf(`f${i}`, { cpu: "1", spec: { nodeName: `n${i}` } }));
    await cluster.create(...fillers);
    await cluster.create(podOf("web", { cpu: "2" }));
    expect((await cluster.places()).web).toBe("");
    const refusal = "0/10 nodes are available: 10 Insufficient cpu.";
    expect((await cluster.events()).some((text) => text.includes(refusal))).toBe(true);
  });

  it("32: nodeName passes by the scheduler: taints and room are not asked", async () => {
    const taints = [{ key: "dedicated", effect: "NoSchedule" }];
    const cluster = await clusterWith([nodeOf("n1", { cpu: "1", taints })]);
    await cluster.create(podOf("forced", { cpu: "8", spec: { nodeName: "n1" } }));
    expect(await cluster.places()).toEqual({ forced: "n1" });
    const cycles = [...cluster.kernel.trace].filter(({ verb }) => verb === "schedule");
    expect(cycles).toEqual([]);
    expect(await cluster.events()).toEqual([]);
  });

  it("33: spread constraints are checked when scheduling, and not again", async () => {
    const cluster = await zonedCluster();
    const names = ["a", "b", "c", "d"];
    await cluster.create(...names.map((name) => spreadPod(name, "v1")));
    expect(await perZone(cluster)).toEqual({ a: 2, b: 2 });
    const places = await cluster.places();
    await cluster.act(async (admin) => {
      for (const name of names.filter((pod) => places[pod] === "n2")) {
        await admin.delete(Pod, "default", name, { gracePeriodSeconds: 0 });
      }
    });
    await cluster.run(600_000);
    expect(await perZone(cluster)).toEqual({ a: 2, b: 0 });
  });

  it("33: matchLabelKeys spreads each revision by itself", async () => {
    const skewAfterRollout = async (matchLabelKeys?: string[]) => {
      const cluster = await zonedCluster();
      // The old revision stands in one zone alone.
      const old = ["o1", "o2"].map((name) => {
        const pod = spreadPod(name, "v1", matchLabelKeys);
        return { ...pod, spec: { ...pod.spec, nodeName: "n1" } };
      });
      await cluster.create(...old);
      await cluster.create(...["w1", "w2"].map((name) => spreadPod(name, "v2", matchLabelKeys)));
      const places = await cluster.places();
      return [places.w1, places.w2].toSorted();
    };
    expect(await skewAfterRollout()).toEqual(["n2", "n2"]);
    expect(await skewAfterRollout(["pod-template-hash"])).toEqual(["n1", "n2"]);
  });
});

function zonedCluster(): Promise<TestCluster> {
  return clusterWith([
    nodeOf("n1", { labels: { [ZONE]: "a" } }),
    nodeOf("n2", { labels: { [ZONE]: "b" } }),
  ]);
}

function spreadPod(name: string, revision: string, matchLabelKeys?: string[]): Pod {
  const labels = { app: "web", "pod-template-hash": revision };
  const constraint = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
    matchLabelKeys,
  };
  return podOf(name, { labels, spec: { topologySpreadConstraints: [constraint] } });
}

async function perZone(cluster: TestCluster): Promise<{ a: number; b: number }> {
  const places = Object.values(await cluster.places());
  const on = (node: string) => places.filter((place) => place === node).length;
  return { a: on("n1"), b: on("n2") };
}
