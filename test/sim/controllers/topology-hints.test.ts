/** Hints by share of CPU: `service.kubernetes.io/topology-mode: Auto`. */
import { describe, expect, it } from "vitest";
import type { EndpointSlice } from "../../../sim/src/api/kinds/endpointslice.ts";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { Service } from "../../../sim/src/api/kinds/service.ts";
import { planSlices } from "../../../sim/src/controllers/endpointslice/plan.ts";
import { TopologyCache } from "../../../sim/src/controllers/endpointslice/topology.ts";

const AUTO = { "service.kubernetes.io/topology-mode": "Auto" };

const service = (annotations: Record<string, string> = AUTO): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", uid: "s", annotations },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }], ipFamilies: ["IPv4"] },
});

const node = (zone: string, cpu = "4", ready = "True", labels = {}): Node => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: zone || "nowhere",
    labels: { ...(zone && { "topology.kubernetes.io/zone": zone }), ...labels },
  },
  spec: {},
  status: { allocatable: { cpu }, conditions: [{ type: "Ready", status: ready }] },
});

const pod = (name: string, nodeName: string, ready = "True"): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "default", uid: name },
  spec: { nodeName, containers: [] },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: ready }],
    podIPs: [{ ip: `10.0.0.${name}` }],
  },
});

/** One Pod a letter, in the zone of that name. */
const podsIn = (zones: string) => [...zones].map((zone, i) => pod(String(i + 1), zone));

/** A Service that is planned again and again, as its slices are written. */
function world(nodes: Node[]) {
  const state = { nodes };
  const topology = new TopologyCache(() => state.nodes);
  let slices: EndpointSlice[] = [];
  const plan = (pods: Pod[], of = service()) => {
    const nodeOf = (name: string) => state.nodes.find(({ metadata }) => metadata.name === name);
    const made = planSlices(of, pods, slices, nodeOf, 100, topology);
    const written = [...made.update, ...made.create];
    const gone = [...made.update, ...made.delete].map(({ metadata }) => metadata.name);
    const named = written.map((slice, i) => ({
      ...slice,
      metadata: { ...slice.metadata, name: slice.metadata.name || `web-${i}` },
    }));
    slices = [...slices.filter(({ metadata }) => !gone.includes(metadata.name)), ...named];
    const events = made.events.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
    return { events, writes: written.length + made.delete.length };
  };
  /** `a>b`: in zone a, hinted for zone b. */
  const hints = () =>
    slices.flatMap(({ endpoints = [] }) =>
      endpoints.map(({ zone, hints }) => `${zone}>${hints?.forZones?.[0]?.name ?? ""}`),
    );
  return { state, topology, plan, hints };
}

const ENABLED =
  "Normal TopologyAwareHintsEnabled Topology Aware Hints has been enabled, addressType: IPv4";
const disabled = (why: string) => `Warning TopologyAwareHintsDisabled ${why}, addressType: IPv4`;

describe("hints by share of CPU", () => {
  it("leave endpoints to their own zone where that is fair", () => {
    const w = world([node("a"), node("b"), node("c")]);
    expect(w.plan(podsIn("abcabc")).events).toEqual([ENABLED]);
    expect(w.hints().toSorted()).toEqual(["a>a", "a>a", "b>b", "b>b", "c>c", "c>c"]);
  });

  it("lend endpoints of a zone that has too many, whole ones", () => {
    const w = world([node("a"), node("b"), node("c")]);
    w.plan(podsIn("aaa"));
    expect(w.hints().toSorted()).toEqual(["a>a", "a>b", "a>c"]);
    // 8 of 12 CPUs lie in a: four of six endpoints are for it.
    const uneven = world([node("a", "8"), node("b", "4")]);
    uneven.plan(podsIn("aabbbb"));
    expect(uneven.hints().toSorted()).toEqual(["a>a", "a>a", "b>a", "b>a", "b>b", "b>b"]);
  });

  it("settle: what is good enough is not written again, nor told again", () => {
    const w = world([node("a"), node("b"), node("c")]);
    w.plan(podsIn("aaa"));
    expect(w.plan(podsIn("aaa"))).toEqual({ events: [], writes: 0 });
    // More are written; the slice is balanced anew.
    expect(w.plan(podsIn("aaabbb"))).toEqual({ events: [], writes: 1 });
    expect(w.hints().filter((hint) => hint.endsWith(">"))).toEqual([]);
  });

  it("count ready endpoints alone, and hint at no other", () => {
    const w = world([node("a"), node("b")]);
    w.plan([pod("1", "a"), pod("2", "b"), pod("3", "b", "False")]);
    expect(w.hints().toSorted()).toEqual(["a>a", "b>", "b>b"]);
  });

  it.each([
    [
      ["a", "b"].map((zone) => node(zone)),
      "a",
      "Insufficient number of endpoints (1 endpoints, 2 zones)",
    ],
    [
      [node("a", "10"), node("b", "1")],
      "ab",
      "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)",
    ],
    [
      [node("a"), node("a")],
      "aa",
      "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
    ],
    [
      [node("a"), node("b"), node("")],
      "ab",
      "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
    ],
  ])("say why there are none: %#", (nodes, zones, why) => {
    const w = world(nodes);
    const { events } = w.plan(podsIn(zones));
    expect(events).toEqual([disabled(why)]);
    expect(w.hints().every((hint) => hint.endsWith(">"))).toBe(true);
  });

  it("say that an endpoint has no zone", () => {
    const control = { "node-role.kubernetes.io/control-plane": "" };
    const w = world([node("a"), node("b"), node("", "4", "True", control)]);
    const pods = [...podsIn("aab"), pod("4", "nowhere")];
    expect(w.plan(pods).events).toEqual([
      disabled("One or more endpoints do not have a zone specified"),
    ]);
  });

  it("go when the annotation goes, or when nodes do", () => {
    const w = world([node("a"), node("b")]);
    w.plan(podsIn("ab"));
    expect(w.hints()).toEqual(["a>a", "b>b"]);
    expect(w.topology.nodesChanged()).toEqual([]);
    w.state.nodes = [node("a"), node("b", "4", "False")];
    // Its traffic may not be kept in zones any more: it is looked at again.
    expect(w.topology.nodesChanged()).toEqual(["default/web"]);
    expect(w.plan(podsIn("ab")).events).toHaveLength(1);
    expect(w.hints()).toEqual(["a>", "b>"]);
    w.state.nodes = [node("a"), node("b")];
    w.topology.nodesChanged();
    expect(w.plan(podsIn("ab")).events).toEqual([ENABLED]);
    const { events } = w.plan(podsIn("ab"), service({}));
    expect(events).toEqual([disabled("Topology Aware Hints has been disabled")]);
    expect(w.hints()).toEqual(["a>", "b>"]);
  });

  it("are looked at again when a zone has grown beyond its endpoints", () => {
    const w = world([node("a"), node("b")]);
    w.plan(podsIn("aabb"));
    w.state.nodes = [node("a", "40"), node("b")];
    expect(w.topology.nodesChanged()).toEqual(["default/web"]);
  });
});
