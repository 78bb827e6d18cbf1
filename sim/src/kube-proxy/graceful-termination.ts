/**
 * Graceful termination of the ipvs mode: an endpoint that is gone keeps its
 * real server, of weight 0, as long as TCP connections to it are open. It gets
 * no new ones; once a minute those without any are taken out.
 * Models: pkg/proxy/ipvs/graceful_termination.go, proxier.go syncEndpoint
 *         @ v1.36
 * Try:    let `needsIt` say no, and look at `ipvsadm -Ln` in a rollout.
 */
import type { Ipvs, RealServer, VirtualServer } from "../network/ipvs.ts";
import { endpointOf } from "../network/packet.ts";

/** Between two looks at those that end, in ms. */
export const CHECK_MS = 60_000;

interface Item {
  readonly virtual: VirtualServer;
  readonly real: RealServer;
}

export class GracefulTermination {
  /** Those that end, by the names of the virtual and the real server. */
  private readonly list = new Map<string, Item>();

  // region: merge
  /** What the kernel shall have: those wanted, and those that still end. */
  merge(
    ipvs: Ipvs,
    wanted: readonly VirtualServer[],
    nowMs: number,
  ): VirtualServer[] {
    const merged = wanted.map((virtual) => {
      const names = new Set(
        virtual.servers.map((real) => keyOf(virtual, real)),
      );
      for (const name of names) this.comeBack(ipvs, name);
      const ending = ipvs
        .realServers(virtual, nowMs)
        .filter((real) => !names.has(keyOf(virtual, real)))
        .filter((real) => this.ends(virtual, real))
        .map((real) => ({ ip: real.ip, port: real.port, weight: 0 }));
      return { ...virtual, servers: [...virtual.servers, ...ending] };
    });
    this.forgetAllBut(wanted);
    return merged;
  }
  // endregion: merge

  /** Takes out those whose last connection is over; returns their names. */
  tryDelete(ipvs: Ipvs, nowMs: number): string[] {
    const deleted: string[] = [];
    for (const [name, { virtual, real }] of this.list) {
      const found = ipvs
        .realServers(virtual, nowMs)
        .find((one) => keyOf(virtual, one) === name);
      if (found && found.count > 0) continue;
      ipvs.remove(virtual, real);
      this.list.delete(name);
      deleted.push(name);
    }
    return deleted;
  }

  /** It is an endpoint again: the old one goes at once, a new one comes. */
  private comeBack(ipvs: Ipvs, name: string): void {
    const item = this.list.get(name);
    if (!item) return;
    ipvs.remove(item.virtual, item.real);
    this.list.delete(name);
  }

  private ends(
    virtual: VirtualServer,
    real: RealServer & { readonly count: number },
  ): boolean {
    const name = keyOf(virtual, real);
    if (this.list.has(name)) return true;
    if (!needsIt(virtual) || real.count === 0) return false;
    this.list.set(name, { virtual, real });
    return true;
  }

  /** A virtual server that is gone took its real ones along. */
  private forgetAllBut(wanted: readonly VirtualServer[]): void {
    const left = new Set(wanted.map(nameOf));
    for (const [name, { virtual }] of this.list) {
      if (!left.has(nameOf(virtual))) this.list.delete(name);
    }
  }
}

/** What has no connections of its own is taken out at once. */
function needsIt({ protocol }: VirtualServer): boolean {
  return protocol !== "udp" && protocol !== "sctp";
}

function nameOf({ ip, port, protocol }: VirtualServer): string {
  return `${ip}:${port}/${protocol.toUpperCase()}`;
}

/** `10.96.7.7:8080/TCP/10.244.0.2:80` */
function keyOf(virtual: VirtualServer, { ip, port }: RealServer): string {
  return `${nameOf(virtual)}/${endpointOf(ip, port)}`;
}
