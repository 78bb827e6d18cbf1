/**
 * IPVS: the kernel's own load balancer. A virtual server has an address, a
 * port and real servers; its scheduler chooses one for each new connection.
 * Models:     Linux net/netfilter/ipvs (ip_vs_core, ip_vs_ctl), `ipvsadm -Ln`
 * Leaves out: TCP's states: a connection counts as active until nothing has
 *             been heard of it for the time-out.
 * Try:        let `schedule` keep a client at a server of weight 0.
 */
import { parseIp } from "./ip.ts";
import {
  alive,
  changed,
  keyOf,
  nameOf,
  next,
  type RealServer,
  type Service,
  type VirtualServer,
} from "./ipvs-service.ts";
import type { Packet } from "./packet.ts";

export type { RealServer, VirtualServer } from "./ipvs-service.ts";

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
      const key = keyOf(server);
      this.services.set(key, changed(server, known.get(key)));
    }
  }

  /** Takes a real server out; what it has open is not forgotten. */
  remove(virtual: VirtualServer, real: RealServer): void {
    const known = this.services.get(keyOf(virtual));
    if (!known) return;
    const { server, destinations } = known;
    const rest = destinations.filter((one) => nameOf(one) !== nameOf(real));
    // The newest comes first in the kernel, and last in a list of servers.
    const servers = rest.toReversed();
    this.services.set(keyOf(virtual), changed({ ...server, servers }, known));
  }

  /** As the kernel has them now, each with its connections. */
  realServers(
    virtual: VirtualServer,
    nowMs: number,
  ): readonly (RealServer & { readonly count: number })[] {
    const { destinations = [] } = this.services.get(keyOf(virtual)) ?? {};
    return destinations.map((one) => {
      const { ip, port, weight } = one;
      return { ip, port, weight, count: alive(one, nowMs).length };
    });
  }

  /** The virtual server that the packet is for, if there is one. */
  find({ protocol, dst, dstPort }: Packet): Service | undefined {
    return this.services.get(`${protocol} ${dst}:${dstPort}`);
  }

  // region: schedule
  /** The real server of a new connection; undefined: there is none. */
  schedule(
    service: Service,
    packet: Packet,
    nowMs: number,
  ): RealServer | undefined {
    const { src, protocol } = packet;
    const { clients, destinations, server } = service;
    const last = clients.get(src);
    const withinMs = server.persistentSeconds * 1000;
    const kept =
      last && nowMs - last.atMs <= withinMs
        ? destinations.find((one) => nameOf(one) === last.to)
        : undefined;
    // expire_quiescent_template: none comes back to a server of weight 0.
    const stays = kept && kept.weight > 0;
    const chosen = stays ? kept : next(service, packet, nowMs);
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
