/**
 * IPVS: the kernel's own load balancer. A virtual server has an address, a
 * port and real servers; a new connection goes to the next of them in turn.
 * Models:     Linux net/netfilter/ipvs (ip_vs_core, ip_vs_rr), `ipvsadm -Ln`
 * Leaves out: schedulers but rr; TCP's states: a connection counts as active
 *             until nothing has been heard of it for the time-out.
 * Try:        let `next` always begin at the front of the list.
 */
import { parseIp } from "./ip.ts";
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
  readonly scheduler: "rr";
  /** A client comes back to its server for so many seconds; 0: it need not. */
  readonly persistentSeconds: number;
  readonly servers: readonly RealServer[];
}

interface Destination extends RealServer {
  /** When each connection ends unless it is heard of, in ms. */
  connections: readonly number[];
}

interface Service {
  readonly server: VirtualServer;
  /** The newest first: the kernel puts a new one at the front of its list. */
  readonly destinations: readonly Destination[];
  /** Whose turn it was last; -1: nobody's. */
  at: number;
  /** Where a client went last, and when, in ms, by its address. */
  readonly clients: Map<string, { to: string; atMs: number }>;
}

/** How long a connection is known without a packet, in ms. */
const TIMEOUT_MS: Readonly<Record<string, number>> = {
  tcp: 900_000,
  udp: 300_000,
};

export class Ipvs {
  private services = new Map<string, Service>();

  /** From now on these are all; what stays keeps its turn and its clients. */
  set(servers: readonly VirtualServer[]): void {
    const known = this.services;
    this.services = new Map();
    for (const server of servers) {
      const { protocol, ip, port } = server;
      const key = `${protocol} ${ip}:${port}`;
      this.services.set(key, changed(server, known.get(key)));
    }
  }

  /** The virtual server that the packet is for, if there is one. */
  find({ protocol, dst, dstPort }: Packet): Service | undefined {
    return this.services.get(`${protocol} ${dst}:${dstPort}`);
  }

  // region: schedule
  /** The real server of a new connection; undefined: there is none. */
  schedule(
    service: Service,
    { src, protocol }: Packet,
    nowMs: number,
  ): RealServer | undefined {
    const { clients, destinations, server } = service;
    const last = clients.get(src);
    const withinMs = server.persistentSeconds * 1000;
    const kept =
      last && nowMs - last.atMs <= withinMs
        ? destinations.find((one) => nameOf(one) === last.to)
        : undefined;
    const chosen = kept ?? next(service);
    if (!chosen) return undefined;
    if (withinMs > 0) clients.set(src, { to: nameOf(chosen), atMs: nowMs });
    const untilMs = nowMs + (TIMEOUT_MS[protocol] ?? 0);
    chosen.connections = [...alive(chosen, nowMs), untilMs];
    return chosen;
  }
  // endregion: schedule

  /** What `ipvsadm -Ln` prints. */
  lines(nowMs: number): string[] {
    const services = [...this.services.values()].sort(byAddress);
    return [
      "IP Virtual Server version 1.2.1 (size=4096)",
      "Prot LocalAddress:Port Scheduler Flags",
      "  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn",
      ...services.flatMap((service) => serviceLines(service, nowMs)),
    ];
  }
}

// region: rr
/** Round robin: the one after the last, among those that have a weight. */
function next(service: Service): Destination | undefined {
  const { destinations } = service;
  const { length } = destinations;
  for (let i = 1; i <= length; i++) {
    const at = (service.at + i) % length;
    if (destinations[at]!.weight === 0) continue;
    service.at = at;
    return destinations[at];
  }
  return undefined;
}
// endregion: rr

function changed(server: VirtualServer, before?: Service): Service {
  const old = before?.destinations ?? [];
  const names = new Set(old.map(nameOf));
  const added = server.servers
    .filter((one) => !names.has(nameOf(one)))
    .map((one): Destination => ({ ...one, connections: [] }))
    .reverse();
  const wanted = new Set(server.servers.map(nameOf));
  const stays = (one: Destination) => wanted.has(nameOf(one));
  // The turn stays with whoever had it, or with the one before who is left.
  const until = old.slice(0, (before?.at ?? -1) + 1).filter(stays).length;
  const at = until === 0 ? -1 : added.length + until - 1;
  const destinations = [...added, ...old.filter(stays)];
  return { server, destinations, at, clients: before?.clients ?? new Map() };
}

function nameOf({ ip, port }: RealServer): string {
  return endpointOf(ip, port);
}

function alive({ connections }: Destination, nowMs: number) {
  return connections.filter((untilMs) => untilMs > nowMs);
}

const PROTOCOLS = ["tcp", "udp", "sctp"];

/** In the tool's order: protocol, address, port. */
function byAddress({ server: a }: Service, { server: b }: Service): number {
  const kind = ({ protocol }: VirtualServer) => PROTOCOLS.indexOf(protocol);
  return kind(a) - kind(b) || compare(a, b);
}

interface Located {
  readonly ip: string;
  readonly port: number;
}

function compare(a: Located, b: Located): number {
  const value = ({ ip }: Located) => Number(parseIp(ip)?.value ?? 0);
  return value(a) - value(b) || a.port - b.port;
}

function serviceLines({ server, destinations }: Service, nowMs: number) {
  const { protocol, ip, port, scheduler, persistentSeconds } = server;
  const persistent =
    persistentSeconds > 0 ? ` persistent ${persistentSeconds}` : "";
  const udp = protocol === "udp";
  const name = protocol.toUpperCase().padEnd(4);
  return [
    `${name} ${ip}:${port} ${scheduler}${persistent}`,
    ...[...destinations].sort(compare).map((one) => {
      const count = alive(one, nowMs).length;
      const cells = [
        ...[nameOf(one).padEnd(28), "Masq".padEnd(7)],
        ...[`${one.weight}`.padEnd(6)],
        ...[`${udp ? 0 : count}`.padEnd(10), `${udp ? count : 0}`.padEnd(10)],
      ];
      return `  -> ${cells.join(" ")}`;
    }),
  ];
}
