/** EndpointSlices: what becomes of a Service while the controller's copy of its slices lags behind. */
import { describe, expect, it } from "vitest";
import { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import { Event } from "../../../sim/src/api/kinds/event.ts";
import { Node } from "../../../sim/src/api/kinds/node.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Service } from "../../../sim/src/api/kinds/service.ts";
import { ServiceAccount } from "../../../sim/src/api/kinds/serviceaccount.ts";
import type { ResourceRef } from "../../../sim/src/api/resource.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import type { InformerFactory } from "../../../sim/src/client/informer.ts";
import { startEndpointSliceController } from "../../../sim/src/controllers/endpointslice/endpointslice.ts";
import { SliceTracker } from "../../../sim/src/controllers/endpointslice/tracker.ts";
import { node, pod, testCluster } from "./cluster.ts";

const ACTOR = "endpointslice-controller";
const SERVICE: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "a", namespace: "default" },
  spec: { selector: { app: "a" }, ports: [{ port: 80 }] },
};

/** The controller, whose informer of slices can be cut off from all else. */
async function controllerWithSlices() {
  const cluster = testCluster();
  const { kernel, server, contexts, make, act, client, list, run } = cluster;
  const context = contexts("kube-controller-manager")(ACTOR);
  const slices = contexts("slices")().informers;
  const informers = {
    informer<T extends KubeObject>(ref: ResourceRef<T>) {
      const isSlice = (ref as ResourceRef<KubeObject>).kind === EndpointSlice.kind;
      return (isSlice ? slices : context.informers).informer(ref);
    },
  } as InformerFactory;
  startEndpointSliceController({ ...context, informers });
  await make(Node, node("node-1", "True"));
  const account = { apiVersion: "v1", kind: "ServiceAccount" };
  await make(ServiceAccount, { ...account, metadata: { name: "default", namespace: "default" } });
  await run(100);
  const addPod = async (n: number) => {
    await make(Pod, pod(`a-${n}`, { nodeName: "node-1" }, { app: "a" }));
    await act(async () => {
      const made = await client.get(Pod, "default", `a-${n}`);
      const conditions = [{ type: "Ready", status: "True" }];
      const podIP = `10.0.0.${n}`;
      const status = { phase: "Running", conditions, podIP, podIPs: [{ ip: podIP }] };
      await client.updateStatus(Pod, { ...made, status });
    });
    await run(100);
  };
  const addresses = async () => {
    const found = await list(EndpointSlice);
    return found.map(({ endpoints }) => (endpoints ?? []).flatMap((one) => one.addresses).sort());
  };
  const cut = () => kernel.faults.partition("slices", server.actor);
  const heal = () => kernel.faults.heal("slices", server.actor);
  return { ...cluster, addPod, addresses, cut, heal };
}

describe("the EndpointSlice controller", () => {
  it("tells at the Service why it has no hints by share of CPU", async () => {
    const c = await controllerWithSlices();
    const annotations = { "service.kubernetes.io/topology-mode": "Auto" };
    await c.make(Service, { ...SERVICE, metadata: { ...SERVICE.metadata, annotations } });
    await c.addPod(1);
    const told = (await c.list(Event)).filter(
      ({ reason }) => reason === "TopologyAwareHintsDisabled",
    );
    expect(told[0]).toMatchObject({
      ...{ type: "Warning", involvedObject: { kind: "Service", name: "a" } },
      message:
        "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes, addressType: IPv4",
    });
  });

  it("waits for its own last write, a second at first and twice as long each time", async () => {
    const { kernel, make, run, addPod, addresses, cut, heal } = await controllerWithSlices();
    await make(Service, SERVICE);
    await addPod(1);
    await run(5_000);
    cut();
    await addPod(2);
    await addPod(3);
    expect(await addresses()).toEqual([["10.0.0.1", "10.0.0.2"]]);
    await run(200_000);
    const at = [...kernel.trace]
      .filter(({ actor, verb }) => actor === ACTOR && verb === "error")
      .map(({ atMs }) => atMs);
    const waits = at.map((ms, i) => Math.round((ms - (at[i - 1] ?? ms)) / 1_000)).slice(-5);
    expect(waits).toEqual([4, 8, 16, 32, 64]);
    heal();
    await run(400_000);
    expect(await addresses()).toEqual([["10.0.0.1", "10.0.0.2", "10.0.0.3"]]);
  });

  it("makes no second slice while it has not seen the one it has made", async () => {
    const { make, run, addPod, addresses, cut, heal } = await controllerWithSlices();
    cut();
    await make(Service, SERVICE);
    await run(100);
    await addPod(1);
    expect(await addresses()).toEqual([[]]);
    heal();
    await run(90_000);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
  });

  it("puts right what others did to a slice, a second later", async () => {
    const { make, run, act, client, list, addPod, addresses } = await controllerWithSlices();
    await make(Service, SERVICE);
    await addPod(1);
    await run(5_000);
    const [slice] = await list(EndpointSlice);
    await act(() => client.update(EndpointSlice, { ...slice!, endpoints: [] }));
    await run(900);
    expect(await addresses()).toEqual([[]]);
    await run(200);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
    await act(() => client.delete(EndpointSlice, "default", slice!.metadata.name));
    await run(1_100);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
  });
});

describe("the tracker of slices", () => {
  const slice = (uid: string, generation: number) =>
    ({ metadata: { name: uid, uid, generation } }) as EndpointSlice;

  it("calls a copy stale that lacks a write: a newer state, a new slice, a deletion", () => {
    const tracker = new SliceTracker();
    expect(tracker.isStale("default/a", [slice("x", 1)])).toBe(false);
    tracker.wrote("default/a", slice("x", 2));
    expect(tracker.isStale("default/a", [slice("x", 1)])).toBe(true);
    expect(tracker.isStale("default/a", [slice("x", 3)])).toBe(false);
    expect(tracker.isStale("default/a", [])).toBe(true);
    expect(tracker.isStale("default/b", [])).toBe(false);
    tracker.deleted("default/a", slice("x", 2));
    expect(tracker.isStale("default/a", [slice("x", 2)])).toBe(true);
    expect(tracker.isStale("default/a", [])).toBe(false);
    tracker.wrote("default/a", slice("y", 1));
    tracker.forget("default/a");
    expect(tracker.isStale("default/a", [])).toBe(false);
  });

  it("tells what others did from what the controller did", () => {
    const tracker = new SliceTracker();
    expect(tracker.isNews("default/a", slice("x", 1))).toBe(true);
    tracker.wrote("default/a", slice("x", 2));
    expect(tracker.isNews("default/a", slice("x", 2))).toBe(false);
    expect(tracker.isNews("default/a", slice("x", 3))).toBe(true);
    expect(tracker.gone("default/a", slice("x", 3))).toBe(true);
    expect(tracker.gone("default/a", slice("x", 3))).toBe(false);
    tracker.deleted("default/a", slice("y", 1));
    expect(tracker.gone("default/a", slice("y", 1))).toBe(false);
  });
});
