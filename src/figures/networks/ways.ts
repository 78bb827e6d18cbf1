/**
 * The way of one connection's first packet through each network: where it is
 * seen, whose address it bears, what is around it, and how many rules matched
 * on each machine. From runs of labs of the lesson.
 */
import type { PacketDetail, TraceEntry } from "@shikumi/sim";
import type { Variant } from "../run.ts";

export interface Network {
  /** A lab of the lesson, and what is changed about it. */
  readonly lab: string;
  readonly variant?: Variant;
}

/** In this order, from left to right. */
export const NETWORKS: readonly Network[] = [
  { lab: "flannel" },
  { lab: "calico" },
  { lab: "calico", variant: { scenario: { encapsulation: "none" } } },
  { lab: "cilium" },
];

/** What a packet bears: the Service's address, or the Pod's; or it is inside another one. */
export type State = "service" | "pod" | "tunnel";

export interface Stop {
  readonly link: string;
  readonly state: State;
  /** The frame's, as this interface saw it. */
  readonly bytes: number;
}

export interface Machine {
  /** `pod default/friend`, `node node-1`. */
  readonly place: string;
  /** How many rules matched there. */
  readonly rules: number;
  /** From the way in to the way out; undefined where this network has no such interface. */
  readonly stops: readonly (Stop | undefined)[];
}

export interface Way {
  readonly machines: readonly Machine[];
  /** Between the nodes. */
  readonly wire: { readonly bytes: number; readonly protocol: string };
}

const KINDS = [
  ["veth", /^(veth|cali|lxc)/],
  ["bridge", /^cni/],
  ["tunnel", /^(flannel\.|tunl|cilium_vxlan)/],
  ["card", /^eth/],
] as const;
type Kind = (typeof KINDS)[number][0];

/** The interfaces that a packet may meet on a machine, in its order. */
const SLOTS: readonly (readonly Kind[])[] = [
  ["card"],
  ["veth", "bridge", "tunnel", "card"],
  ["card", "tunnel", "bridge", "veth"],
  ["card"],
];

/** The first connection of the run, on its way there. */
export function wayOf(entries: readonly TraceEntry[], service: string): Way {
  const hops = firstRequest(entries);
  const places = [...new Set(hops.map(({ place }) => place))];
  if (places.length !== SLOTS.length) throw new Error(`It came to ${places.join(", ")}.`);
  const machines = places.map((place, i): Machine => {
    const own = hops.filter((hop) => hop.place === place);
    return {
      place,
      rules: own.reduce((sum, { rules }) => sum + rules.length, 0),
      stops: SLOTS[i]!.map((kind) => {
        const hop = own.find(({ link }) => kindOf(link) === kind);
        return hop && stopOf(hop, service);
      }),
    };
  });
  const wire = hops.findLast(({ place, link }) => place === places[1] && kindOf(link) === "card");
  const { bytes = 0, protocol = "" } = wire?.after ?? {};
  return { machines, wire: { bytes, protocol } };
}

function firstRequest(entries: readonly TraceEntry[]): PacketDetail[] {
  const begin = entries.findIndex(
    ({ verb, detail }) => verb === "input" && (detail as { do?: string })?.do === "connect",
  );
  const end = entries.findIndex(({ verb, actor }) => verb === "log" && actor === "network");
  return entries
    .slice(begin, end)
    .filter(({ verb }) => verb === "packet")
    .map(({ detail }) => detail as PacketDetail)
    .filter(({ way }) => way === "request");
}

function kindOf(link: string): Kind | undefined {
  return KINDS.find(([, names]) => names.test(link))?.[0];
}

function stopOf({ link, after }: PacketDetail, service: string): Stop {
  const { bytes = 0, dst = "", inner } = after ?? {};
  const state = inner ? "tunnel" : dst === service ? "service" : "pod";
  return { link, state, bytes };
}

/** What is drawn from the top down: a machine's name, its interfaces, the wire. */
export type Line =
  | { readonly is: "machine"; readonly machine: Machine; readonly state: State }
  | { readonly is: "stop"; readonly stop: Stop; readonly before: State }
  | { readonly is: "passed"; readonly state: State }
  | { readonly is: "wire"; readonly state: State };

export function linesOf({ machines }: Way): Line[] {
  let state = machines[0]!.stops[0]!.state;
  return machines.flatMap((machine, i) => {
    const head: Line[] = i === 2 ? [{ is: "wire", state }] : [];
    const named: Line = { is: "machine", machine, state };
    const stops = machine.stops.map((stop): Line => {
      const before = state;
      if (!stop) return { is: "passed", state };
      state = stop.state;
      return { is: "stop", stop, before };
    });
    return [...head, named, ...stops];
  });
}

/** Names with hashes are cut to what tells them apart. */
export function shorten(link: string): string {
  return link.replace(/^(veth|cali|lxc)(\w{4})\w+$/, "$1$2…");
}
