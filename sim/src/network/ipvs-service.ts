/**
 * A virtual server of IPVS with its real ones: who they are, what each has
 * open, and whose turn it is.
 * Models:     Linux net/netfilter/ipvs/ip_vs_ctl.c (destinations, dest_trash)
 */
import {
  newTurn,
  SCHEDULERS,
  type SchedulerName,
  type Turn,
} from "./ipvs-schedulers.ts";
import { endpointOf, type Packet } from "./packet.ts";

export interface RealServer {
  readonly ip: string;
  readonly port: number;
  /** 0: it gets no new connections. */
  readonly weight: number;
}

export interface VirtualServer {
  /** tcp, udp, sctp. */
  readonly protocol: string;
  readonly ip: string;
  readonly port: number;
  readonly scheduler: SchedulerName;
  /** A client comes back to its server for so many seconds; 0: it need not. */
  readonly persistentSeconds: number;
  readonly servers: readonly RealServer[];
}

export interface Destination extends RealServer {
  /** When each connection ends unless it is heard of, in ms. */
  connections: readonly number[];
}

export interface Service {
  readonly server: VirtualServer;
  /** The newest first: the kernel puts a new one at the front of its list. */
  readonly destinations: readonly Destination[];
  readonly turn: Turn;
  /** Connections of servers that were taken out, by the server's name. */
  readonly trash: ReadonlyMap<string, readonly number[]>;
  /** Where a client went last, and when, in ms, by its address. */
  readonly clients: Map<string, { to: string; atMs: number }>;
}

/** As `ipvsadm -Ln` has the two: `TCP 10.96.7.7:80 rr -> 10.244.0.2:80`. */
export function chosenLine({ server }: Service, real: RealServer): string {
  const { protocol, ip, port, scheduler } = server;
  const virtual = `${protocol.toUpperCase()} ${endpointOf(ip, port)}`;
  return `${virtual} ${scheduler} -> ${endpointOf(real.ip, real.port)}`;
}

const NONE: ReadonlyMap<string, readonly number[]> = new Map();

/** Whom the scheduler chooses for a new connection. */
export function next(service: Service, packet: Packet, nowMs: number) {
  const { server, destinations, turn } = service;
  const udp = server.protocol === "udp";
  const candidates = destinations.map((one) => {
    const count = alive(one, nowMs).length;
    const [active, inactive] = udp ? [0, count] : [count, 0];
    return { name: nameOf(one), weight: one.weight, active, inactive };
  });
  const choose = SCHEDULERS[server.scheduler];
  const chosen = choose(candidates, turn, packet, nowMs);
  return destinations.find((one) => nameOf(one) === chosen?.name);
}

export function keyOf({ protocol, ip, port }: VirtualServer): string {
  return `${protocol} ${ip}:${port}`;
}

/** The service as it shall be: what stays keeps its turn and its clients. */
export function changed(server: VirtualServer, known?: Service): Service {
  const { scheduler } = server;
  const before = known ?? { destinations: [], trash: NONE, clients: new Map() };
  const goesOn = known?.server.scheduler === scheduler;
  const turn = goesOn ? { ...known.turn } : newTurn();
  const weights = new Map(server.servers.map((one) => [nameOf(one), one]));
  const had = new Set(before.destinations.map(nameOf));
  const trash = new Map(before.trash);
  const take = (name: string) => {
    const connections = trash.get(name) ?? [];
    trash.delete(name);
    return connections;
  };
  const added = server.servers
    .filter((one) => !had.has(nameOf(one)))
    .map((one): Destination => ({ ...one, connections: take(nameOf(one)) }))
    .reverse();
  const stays = (one: Destination) => weights.has(nameOf(one));
  const old = before.destinations.filter(stays).map((one) => {
    return { ...one, weight: weights.get(nameOf(one))!.weight };
  });
  for (const one of before.destinations) {
    const { connections } = one;
    if (!stays(one) && connections.length > 0)
      trash.set(nameOf(one), connections);
  }
  const destinations = [...added, ...old];
  // The turn stays with whoever had it, or with the one before who is left.
  const until = before.destinations.slice(0, turn.at + 1).filter(stays).length;
  turn.at = until === 0 ? -1 : added.length + until - 1;
  const same = sameServers(destinations, before.destinations);
  if (scheduler === "wrr" && !same) turn.at = -1;
  return { server, destinations, turn, trash, clients: before.clients };
}

function sameServers(
  a: readonly RealServer[],
  b: readonly RealServer[],
): boolean {
  const text = (all: readonly RealServer[]) =>
    all.map((one) => `${nameOf(one)} ${one.weight}`).join();
  return text(a) === text(b);
}

export function nameOf({ ip, port }: RealServer): string {
  return endpointOf(ip, port);
}

export function alive({ connections }: Destination, nowMs: number) {
  return connections.filter((untilMs) => untilMs > nowMs);
}
