/** What the figures of the lessons on architecture, CRI and CNI draw, from runs of the lessons' labs. */
import { rowOf } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import architecture from "../../content/part-2-architecture/01-architecture/lab.ts";
import controllerManager from "../../content/part-2-architecture/04-controller-manager/lab.ts";
import cri from "../../content/part-4-cri/02-cri/lab.ts";
import cni from "../../content/part-5-cni/01-cni/lab.ts";
import criAndCni from "../../content/part-5-cni/02-cri-and-cni/lab.ts";
import csi from "../../content/part-6-csi/01-csi/lab.ts";
import { pluginCalls } from "../../src/figures/cni-calls/calls.ts";
import { csiCallsOf } from "../../src/figures/csi-calls/calls.ts";
import { callsOf } from "../../src/figures/node-calls/calls.ts";
import { flowOf } from "../../src/figures/node-flow/flow.ts";
import { labOf, runOf } from "../../src/figures/run.ts";
import { silenceOf } from "../../src/figures/silence/tracks.ts";
import { partOf, roadsOf, sortRoads } from "../../src/figures/traffic/count.ts";
import type { Lab } from "../../src/sandbox/lab.ts";

const run = (labs: readonly Lab[], id: string) => runOf(labOf(labs, id));

describe("traffic", () => {
  it("counts parts of a kind together, and the controllers as one process", () => {
    expect(partOf("kubelet/node-3")).toBe("kubelet");
    expect(partOf("replicaset-controller")).toBe("kube-controller-manager");
    expect(partOf("cloud-controller-manager")).toBe("cloud-controller-manager");
  });

  it("puts an answer on the road of its request", () => {
    const roads = roadsOf([
      { actor: "kubectl", verb: "request", target: "kube-apiserver" },
      { actor: "kube-apiserver", verb: "response", target: "kubectl" },
      { actor: "kube-apiserver", verb: "txn", target: "etcd" },
      { actor: "kubelet/a", verb: "request", target: "kubelet/b" },
    ]);
    expect(roads.find(({ from }) => from === "kubectl")).toMatchObject({ there: 1, back: 1 });
    const { rail, store, other } = sortRoads(roads);
    expect([rail.length, store.length, other.length]).toEqual([1, 1, 0]);
  });

  it("finds no road between parts that meet at the API server", async () => {
    const { rail, store, other } = sortRoads(roadsOf(await run(architecture, "map")));
    expect(other).toEqual([]);
    expect(store.map(({ to }) => to)).toEqual(["etcd"]);
    const parts = rail.map(({ from }) => from);
    for (const part of ["kube-scheduler", "kubelet", "kube-proxy", "cloud-controller-manager"]) {
      expect(parts).toContain(part);
    }
  });
});

describe("calls of a node", () => {
  it("number six steps, the network before pause", async () => {
    const calls = callsOf(await run(cri, "one-pod"), "node-1");
    expect(calls.flatMap(({ step, text }) => (step ? [text] : []))).toEqual([
      "RunPodSandbox",
      "network namespace",
      "start pause",
      "ImageStatus",
      "CreateContainer",
      "StartContainer",
    ]);
    expect(calls.find(({ text }) => text === "ADD host-local")?.from).toBe("plugin");
    expect(calls.filter(({ isAnswer }) => isAnswer).length).toBe(5);
  });
});

describe("calls of a storage driver", () => {
  it("number six steps, each by the part that takes it", async () => {
    const rows = csiCallsOf(await run(csi, "one-claim"));
    const steps = rows.flatMap(({ step, from, text }) => (step ? [`${step} ${from} ${text}`] : []));
    expect(steps).toEqual([
      "1 control selected-node",
      "2 sidecar CreateVolume",
      "3 control VolumeAttachment",
      "4 sidecar ControllerPublishVolume",
      "5 kubelet NodeStageVolume",
      "6 kubelet NodePublishVolume",
    ]);
  });

  it("tell what the driver did, and what its sidecars wrote of it", async () => {
    const rows = csiCallsOf(await run(csi, "one-claim"));
    const own = rows.filter(({ from, to }) => from === to && from !== "control");
    expect(own.map(({ from, text }) => `${from} ${text}`)).toEqual([
      "driver make",
      "sidecar PersistentVolume",
      "driver attach node-2",
      "sidecar attached: true",
    ]);
    // The same call came twice; only the first begins a step.
    const asked = rows.filter(({ text }) => text === "ControllerPublishVolume");
    expect(asked.map(({ step }) => step)).toEqual([4, undefined]);
  });
});

describe("calls of plugins", () => {
  it("tell who executed them, and what came from the plugin before", async () => {
    const calls = pluginCalls(await run(cni, "one-add"), "ADD");
    const by = calls.map(({ name, by }) => `${name} ${by ?? "-"}`);
    const names = ["ADD loopback -", "ADD bridge -", "ADD host-local bridge", "ADD portmap -"];
    expect(by).toEqual(names);
    const previous = calls[3]!.stdin.filter((line) => line.isPrevious);
    expect(previous.map(({ text }) => text).join("")).toContain("10.244.0.2/24");
    expect(calls[1]!.stdin.some((line) => line.isPrevious)).toBe(false);
  });
});

describe("the flow on a node", () => {
  const states = (outcomes: readonly { state: string }[]) => outcomes.map(({ state }) => state[0]);

  it("ends where the run ended", async () => {
    const entries = await run(criAndCni, "files");
    const on = (node: string, fromMs = 0, toMs = 60_000) =>
      flowOf(entries, { node, pod: "web-", fromMs, toMs });
    expect(states(on("two-files")).join("")).toBe("dddddd");
    expect(on("two-files")[3]!.text).toBe("10.55.0.2/24");
    expect(states(on("no-file", 0, 25_000)).join("")).toBe("suuuuu");
    expect(states(on("no-file", 25_000)).join("")).toBe("dddddd");
    expect(states(on("no-plugin")).join("")).toBe("ddsuuu");
    expect(on("no-plugin")[2]!.text).toContain('failed to find plugin "weave-net"');
  });
});

describe("a node that fell silent", () => {
  it("shows what became of its Pods, and of nobody else's", async () => {
    const entries = await run(controllerManager, "silent");
    const rows = entries.filter(({ verb }) => verb === "write").map(rowOf);
    const { beatsMs, node, pods, lostMs } = silenceOf(rows, "node-2", 480_000);
    expect(beatsMs.filter((ms) => ms > 30_000 && ms < 440_000)).toEqual([]);
    expect(node.spans.map(({ state }) => state)).toEqual(["ready", "unknown", "ready"]);
    expect(lostMs).toBeGreaterThan(75_000);
    const kinds = pods.map(({ name }) => name.split("-")[0]);
    expect(kinds).toEqual(["agent", "db", "web", "web"]);
    const ends = pods.map(({ spans }) => spans.some(({ state }) => state === "leaving"));
    expect(ends.filter(Boolean).length).toBe(2);
    expect(ends[0]).toBe(false);
  });
});
