/**
 * One connection of a run, there and back: the headers at each interface, and
 * which address was rewritten since the one before.
 */
import type { PacketDetail, TraceEntry } from "@shikumi/sim";

export interface Stop {
  readonly link: string;
  readonly src: string;
  readonly dst: string;
  /** Rewritten since the interface before. */
  readonly srcChanged: boolean;
  readonly dstChanged: boolean;
  /** The packet around it, from node to node. */
  readonly outer?: { readonly src: string; readonly dst: string };
}

export interface Machine {
  /** `pod default/web`, `node node-1`, `outside`, `router`. */
  readonly place: string;
  readonly stops: readonly Stop[];
}

export interface Walk {
  readonly there: readonly Machine[];
  readonly back: readonly Machine[];
}

/** The run's connection from here to there; a name that is looked up first is left out. */
export function walkOf(entries: readonly TraceEntry[], from: string, to: string): Walk {
  const end = entries.findIndex(
    ({ verb, subject }) => verb === "log" && subject.startsWith(`${from} > ${to}: `),
  );
  const hops = entries
    .slice(0, end)
    .filter(({ verb }) => verb === "packet")
    .map(({ detail }) => detail as PacketDetail);
  const begin = hops.findLastIndex(({ way, before }) => way === "request" && !before);
  if (end < 0 || begin < 0) throw new Error(`Nobody connects from ${from} to ${to}.`);
  const own = hops.slice(begin);
  return {
    there: machinesOf(own.filter(({ way }) => way === "request")),
    back: machinesOf(own.filter(({ way }) => way === "reply")),
  };
}

function machinesOf(hops: readonly PacketDetail[]): Machine[] {
  const machines: { place: string; stops: Stop[] }[] = [];
  for (const hop of hops) {
    if (machines.at(-1)?.place !== hop.place) machines.push({ place: hop.place, stops: [] });
    machines.at(-1)!.stops.push(stopOf(hop));
  }
  return machines;
}

function stopOf({ link, before, after }: PacketDetail): Stop {
  const was = before?.inner ?? before;
  const { src = "", dst = "" } = after?.inner ?? after ?? {};
  const outer = after?.inner && { src: bare(after.src), dst: bare(after.dst) };
  return {
    link,
    ...{ src, dst, outer },
    srcChanged: was !== undefined && was.src !== src,
    dstChanged: was !== undefined && was.dst !== dst,
  };
}

const bare = (endpoint: string) => endpoint.replace(/:\d+$/, "");
