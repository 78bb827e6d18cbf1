/** What readers get wrong about scheduler and node, in whole clusters; ids of content/misconceptions.yaml. */
import { describe, expect, it } from "vitest";
import { list, str } from "../../../sim/src/api/kinds/access.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { condition, deployment, isReady, pod, spec, status, world } from "./world.ts";

const nodeOf = (one: KubeObject | undefined) => str(spec(one).nodeName);
const cpu = (amount: string) => `resources: { requests: { cpu: ${amount} } }`;
const why = (one: KubeObject | undefined) => str(condition(one, "PodScheduled").message);

describe("scheduler and node", () => {
  it("scheduler-rebalances: a node that becomes free gets no Pod that is bound already", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.kubectl("cordon node-2");
    await w.apply(deployment({ replicas: 4 }));
    await w.more(10);
    await w.kubectl("uncordon node-2");
    await w.more(120);
    expect(w.pods("web").map(nodeOf)).toEqual(Array(4).fill("node-1"));
  });

  it("no-schedule-evicts: NoSchedule leaves running Pods alone, NoExecute does not", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(deployment());
    await w.more(10);
    const before = w.pods("web").map(({ metadata }) => metadata.uid);
    await w.kubectl("taint node node-1 a=b:NoSchedule");
    await w.more(60);
    expect(w.pods("web").map(({ metadata }) => metadata.uid)).toEqual(before);
    await w.kubectl("taint node node-1 a=b:NoExecute");
    await w.more(20);
    expect(w.pods("web").filter(({ metadata }) => before.includes(metadata.uid))).toEqual([]);
  });

  it("liveness-stops-traffic: a Pod that fails its liveness probe is Ready until it is stopped", async () => {
    const name = "registry.example/sick";
    const images = [{ name, ports: [80], http: () => 500 }];
    const w = world({ nodes: 1, images });
    await w.until(5);
    const probe = (kind: string) =>
      `${kind}: { httpGet: { path: /, port: 80 }, periodSeconds: 5, failureThreshold: 3 }`;
    await w.apply(pod("live", "", probe("livenessProbe")).replace("nginx", name));
    await w.apply(pod("ready", "", probe("readinessProbe")).replace("nginx", name));
    await w.more(9);
    const states = () => ["live", "ready"].map((one) => isReady(w.object("pods", one)!));
    expect(states()).toEqual([true, false]);
    await w.more(60);
    const restarts = ["live", "ready"].map(
      (one) => list(status(w.object("pods", one)).containerStatuses)[0]?.restartCount,
    );
    expect(restarts[0]).toBeGreaterThan(0);
    expect(restarts[1]).toBe(0);
  });

  it("free-cpu-fits: requests fill a node on which nothing uses the CPU", async () => {
    const w = world({ nodes: [{ cpu: "1" }] });
    await w.until(5);
    await w.apply(pod("first", "", cpu("800m")));
    await w.apply(pod("second", "", cpu("800m")));
    await w.more(20);
    expect(isReady(w.object("pods", "first")!)).toBe(true);
    expect(why(w.object("pods", "second"))).toContain("Insufficient cpu");
  });

  it("sum-of-nodes: ten nodes with 1 CPU free take no Pod of 2 CPUs", async () => {
    const w = world({ nodes: Array.from({ length: 10 }, () => ({ cpu: "1" })) });
    await w.until(5);
    await w.apply(pod("big", "", cpu('"2"')));
    await w.more(20);
    expect(why(w.object("pods", "big"))).toContain("0/10 nodes are available: 10 Insufficient cpu");
  });

  it("node-name-respects: it passes by the taint, and the kubelet refuses what does not fit", async () => {
    const taints = [{ key: "a", effect: "NoSchedule" as const }];
    const w = world({ nodes: [{ cpu: "1", taints }] });
    await w.until(5);
    await w.apply(pod("small", "nodeName: node-1", cpu("100m")));
    await w.apply(pod("big", "nodeName: node-1", cpu('"2"')));
    await w.more(20);
    expect(isReady(w.object("pods", "small")!)).toBe(true);
    expect(status(w.object("pods", "big"))).toMatchObject({ phase: "Failed", reason: "OutOfcpu" });
  });

  it("pending-is-polled: a Pod that nothing can help waits untried", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(pod("big").replace("containers:", "nodeSelector: { disk: none }\n  containers:"));
    await w.until(200);
    expect(condition(w.object("pods", "big"), "PodScheduled").status).toBe("False");
    const tried = (fromMs: number) =>
      w.rows("schedule", fromMs).filter(({ subject }) => subject === "Pod default/big").length;
    expect(tried(0)).toBe(1);
    await w.until(360);
    expect(tried(200_000)).toBe(1);
  });

  it("spread-holds: the constraint is not looked at again when a node joins later", async () => {
    const w = world({ nodes: 2 }, [
      { atMs: 0, do: "stop", actor: "kubelet/node-2" },
      { atMs: 30_000, do: "start", actor: "kubelet/node-2" },
    ]);
    await w.until(5);
    const spread = `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]`;
    await w.apply(deployment({ replicas: 4, pod: spread }));
    await w.until(120);
    expect(w.objects("nodes", "")).toHaveLength(2);
    expect(w.pods("web").map(nodeOf)).toEqual(Array(4).fill("node-1"));
  });

  it("dead-node-at-once: after 50 s it is NotReady, after 300 s more its Pods are replaced", async () => {
    const w = world({ nodes: 2 });
    await w.until(5);
    await w.apply(deployment({ replicas: 2 }));
    await w.until(30);
    w.cluster.stop("node/node-1");
    const ready = () => condition(w.object("nodes", "node-1", ""), "Ready").status;
    const moved = () => w.pods("web").filter((one) => nodeOf(one) === "node-2").length;
    await w.until(65);
    expect(ready()).toBe("True");
    await w.until(95);
    expect([ready(), moved()]).toEqual(["Unknown", 1]);
    await w.until(370);
    expect(moved()).toBe(1);
    await w.until(420);
    expect(moved()).toBe(2);
  });

  it("outage-evicts-all: with no node Ready nothing is evicted", async () => {
    const w = world({ nodes: 3 });
    await w.until(5);
    await w.apply(deployment({ replicas: 3 }));
    await w.until(30);
    for (const name of ["node-1", "node-2", "node-3"]) w.cluster.stop(`node/${name}`);
    await w.until(900);
    for (const node of w.objects("nodes", ""))
      expect(condition(node, "Ready").status).toBe("Unknown");
    expect(w.pods("web")).toHaveLength(3);
    expect(w.pods("web").filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([]);
  });
});
