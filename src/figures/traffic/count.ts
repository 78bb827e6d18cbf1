/**
 * Who talks to whom in a run, counted: messages between a part and the API
 * server, between the API server and etcd, and between the parts of a node.
 * Parts of the same kind are counted together, and so are the controllers,
 * which are one process.
 */
import type { TraceEntry } from "@shikumi/sim";
import { colourOf, type PartColour } from "../rail/lanes.ts";

export interface Road {
  readonly from: string;
  readonly to: string;
  readonly colour: PartColour;
  /** Messages from `from` to `to`, and what came back on the same road. */
  readonly there: number;
  readonly back: number;
}

type Message = Pick<TraceEntry, "actor" | "verb" | "target">;

const API = "kube-apiserver";
/** Arrows of the trace that are messages between two parts. */
const MESSAGES = new Set(["request", "response", "watch", "txn", "range", "cri", "cni", "csi"]);

const OF_THE_CLOUD = /^(cloud-|service-lb-|route-)/;

/** `kubelet/node-1` → `kubelet`; every controller → `kube-controller-manager`. */
export function partOf(actor: string): string {
  const part = actor.split("/")[0]!;
  if (OF_THE_CLOUD.test(part)) return "cloud-controller-manager";
  return colourOf(part) === "controller" ? "kube-controller-manager" : part;
}

/** All roads that carried a message, the busiest first. */
export function roadsOf(entries: Iterable<Message>): Road[] {
  const roads = new Map<string, { from: string; to: string; there: number; back: number }>();
  for (const { actor, verb, target } of entries) {
    const isPull = verb === "image" && target !== "";
    if (!MESSAGES.has(verb) && !isPull) continue;
    const to = verb === "request" ? target || API : target;
    const [a, b] = [partOf(actor), partOf(to)];
    // What the API server sends to a client goes back on the client's road.
    const isBack = verb === "response" || verb === "watch";
    const [from, end] = isBack ? [b, a] : [a, b];
    const key = `${from} ${end}`;
    const road = roads.get(key) ?? { from, to: end, there: 0, back: 0 };
    roads.set(key, road);
    if (isBack) road.back++;
    else road.there++;
  }
  return [...roads.values()]
    .map((road) => ({ ...road, colour: colourOf(road.from === API ? road.to : road.from) }))
    .sort((x, y) => y.there + y.back - (x.there + x.back));
}

const ON_NODE = new Set<PartColour>(["kubelet", "cri", "cni", "csi"]);

/** Apart: to the API server, from it to etcd, on a node, and any other. */
export function sortRoads(roads: readonly Road[]) {
  const kind = ({ from, to }: Road) => {
    if (to === API) return "rail";
    if (from === API && to === "etcd") return "store";
    return ON_NODE.has(colourOf(from)) && ON_NODE.has(colourOf(to)) ? "node" : "other";
  };
  const of = (name: string) => roads.filter((road) => kind(road) === name);
  return { rail: of("rail"), store: of("store"), node: of("node"), other: of("other") };
}
