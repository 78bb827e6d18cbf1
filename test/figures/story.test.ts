import type { Row } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { lanesOf, lanesThatAct } from "../../src/figures/rail/lanes.ts";
import { windowStart } from "../../src/figures/rail/Rail.tsx";
import { storyOf, visibleBeats } from "../../src/figures/rail/story.ts";

/** Rows by [actor, verb, subject, causeId, target]; ids count from 1. */
function rows(...lines: [string, string, string, number, string?][]): Row[] {
  return lines.map(([actor, verb, subject, causeId, target = ""], i) => ({
    id: i + 1,
    atMs: i,
    actor,
    verb,
    subject,
    causeId,
    target,
  }));
}

const API = "kube-apiserver";

describe("the story of a run", () => {
  it("folds write and answer into their request", () => {
    const run = rows(
      ["replicaset-controller", "request", "POST pods default/web-", 0, API],
      [API, "authenticate", "allow", 1],
      [API, "write", "Pod default/web-x", 1],
      [API, "response", "201 Created", 1, "replicaset-controller"],
    );
    run[2] = {
      ...run[2]!,
      type: "ADDED",
      object: { kind: "Pod", namespace: "default", name: "web-x", uid: "u" },
    };
    run[3] = { ...run[3]!, code: 201 };
    const beats = storyOf(run);
    expect(beats).toHaveLength(1);
    expect(beats[0]).toMatchObject({
      kind: "request",
      ids: [1, 2, 3, 4],
      code: 201,
      change: "ADDED",
      endMs: 3,
    });
  });

  it("shows the stages of the reader's own request one by one", () => {
    const run = rows(
      ["you", "input", "kubectl apply -f -", 0],
      ["kubectl", "request", "POST deployments.apps default/web", 1, API],
      [API, "authenticate", "allow", 2],
      [API, "authorize", "allow", 2],
      [API, "txn", "/registry/deployments/default/web", 2, "etcd"],
    );
    expect(storyOf(run).map((beat) => beat.kind)).toEqual([
      "input",
      "request",
      "stage",
      "stage",
      "store",
    ]);
  });

  it("keeps a watch event only if something came of it, and ends it at who acted", () => {
    const run = rows(
      ["you", "input", "kubectl apply -f -", 0],
      ["kubectl", "request", "POST deployments.apps default/web", 1, API],
      [API, "watch", "Deployment default/web", 2, "kube-controller-manager"],
      [API, "watch", "Deployment default/web", 2, "kube-scheduler"],
      ["deployment-controller", "reconcile", "default/web", 3],
      ["deployment-controller", "request", "POST replicasets.apps default/web-5d", 5, API],
    );
    const beats = storyOf(run);
    expect(beats.map((beat) => beat.id)).toEqual([1, 2, 3, 5, 6]);
    expect(beats[2]).toMatchObject({ kind: "watch", from: API, to: "deployment-controller" });
  });

  it("marks heartbeats, Events and calls that only look as pulse", () => {
    const lease = "PUT leases.coordination.k8s.io kube-node-lease/node-1";
    const run = rows(
      ["you", "input", "kubectl apply -f -", 0],
      ["kubelet/node-1", "request", lease, 1, API],
      ["kubelet/node-1", "request", "POST events default/web-x.1", 1, API],
      ["kubelet/node-1", "cri", "ContainerStatus", 1, "containerd/node-1"],
      ["kubelet/node-1", "cri", "StartContainer", 1, "containerd/node-1"],
      ["kubelet/node-1", "request", "PATCH pods/status default/web-x", 1, API],
    );
    expect(visibleBeats(storyOf(run), false).map((beat) => beat.id)).toEqual([1, 5, 6]);
    expect(visibleBeats(storyOf(run), true)).toHaveLength(6);
  });

  it("hides that a part renews its watches, even after a failure", () => {
    const run = rows(
      ["fault", "fault", "stop kubelet/node-1", 0],
      ["kube-scheduler", "request", "WATCH pods", 0, API],
      ["kube-scheduler", "request", "LIST pods", 0, API],
    );
    expect(visibleBeats(storyOf(run), false).map((beat) => beat.id)).toEqual([1, 3]);
  });

  it("hides what goes back to no input: the cluster's start-up", () => {
    const run = rows(
      ["kube-scheduler", "request", "LIST pods", 0, API],
      ["you", "input", "kubectl apply -f -", 0],
      ["kubectl", "request", "POST deployments.apps default/web", 2, API],
    );
    expect(visibleBeats(storyOf(run), false).map((beat) => beat.id)).toEqual([2, 3]);
  });
});

describe("lanes", () => {
  it("of several machines tell which is whose", () => {
    const run = rows(
      ["fault", "fault", "stop etcd/cp-1", 0],
      ["etcd/cp-2", "raft", "becomes leader, term 2", 0],
      ["etcd/cp-3", "raft", "votes", 0],
      ["kubelet/node-1", "request", "PATCH pods", 0, API],
    );
    const labels = lanesOf(storyOf(run)).map(({ label, node }) => [label, node].join(" ").trim());
    expect(labels).toEqual(["fault", API, "etcd cp-2", "etcd cp-3", "kubelet node-1"]);
  });

  it("stand above the rail, on it, under it, and node by node", () => {
    const run = rows(
      ["containerd/node-2", "container", "start", 0],
      ["kubelet/node-2", "request", "PATCH pods", 0, API],
      ["kubelet/node-1", "request", "PATCH pods", 0, API],
      ["kube-scheduler", "request", "POST pods/binding", 0, API],
      ["replicaset-controller", "request", "POST pods", 0, API],
      ["kubectl", "request", "POST x", 0, API],
      [API, "txn", "/registry", 6, "etcd"],
    );
    expect(lanesOf(storyOf(run)).map((lane) => `${lane.actor} ${lane.side}`)).toEqual([
      "kubectl above",
      "replicaset-controller above",
      "kube-scheduler above",
      "kube-apiserver rail",
      "etcd below",
      "kubelet/node-1 below",
      "kubelet/node-2 below",
      "containerd/node-2 below",
    ]);
  });
});

describe("lanes that do not fit", () => {
  it("puts the half of a storage driver that runs once beside its sidecars", () => {
    const run = rows(
      ["csi-attacher", "csi", "ControllerPublishVolume", 0, "csi/disk.csi.example"],
      ["csi/disk.csi.example", "disk", "attach node-1", 1],
      ["kubelet/node-1", "csi", "NodeStageVolume", 0, "csi/disk.csi.example/node-1"],
      ["deployment-controller", "reconcile", "default/db", 0],
      ["deployment-controller", "request", "GET pods", 4, API],
    );
    const lanes = lanesOf(storyOf(run)).map(({ label, node, side }) => [label, node, side]);
    expect(lanes).toEqual([
      ["csi-attacher", "", "above"],
      ["csi disk.csi.example", "", "above"],
      ["deployment-controller", "", "above"],
      ["kube-apiserver", "", "rail"],
      ["kubelet", "node-1", "below"],
      ["csi/disk.csi.example", "node-1", "below"],
    ]);
  });

  it("are left out while they take no part", () => {
    const beats = storyOf(
      rows(
        ["kubelet/node-1", "request", "PATCH pods", 0, API],
        ["kube-scheduler", "request", "POST pods/binding", 0, API],
      ),
    );
    const lanes = lanesOf(beats);
    const acting = lanesThatAct(lanes, beats.slice(0, 1)).map(({ actor }) => actor);
    expect(acting).toEqual([API, "kubelet/node-1"]);
    expect(lanesThatAct(lanes, beats)).toEqual(lanes);
  });
});

describe("the window of the rail", () => {
  it("stays inside the run and keeps the present beat in view", () => {
    for (const count of [1, 10, 500]) {
      for (let at = -1; at < count; at++) {
        const first = windowStart(at, 40, count);
        expect(first).toBeGreaterThanOrEqual(0);
        if (at >= 0) {
          expect(at - first).toBeGreaterThanOrEqual(0);
          expect(at - first).toBeLessThan(40);
        }
      }
    }
  });
});
