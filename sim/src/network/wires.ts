/**
 * What hangs together: the ends of veth pairs, the ports of bridges, and the
 * interfaces on one wire; and who answers for an address there.
 */
import { type Link, portsOf } from "./link.ts";

export class Wires {
  private readonly byWire = new Map<string, Link[]>();

  /** Plugs an ethernet link into a wire. */
  plug(link: Link, wire: string): void {
    link.wire = wire;
    const known = this.byWire.get(wire);
    if (known) known.push(link);
    else this.byWire.set(wire, [link]);
  }

  /** The links that get what this one sends. */
  across(link: Link): readonly Link[] {
    if (link.kind === "veth") return link.peer ? [link.peer] : [];
    const all = this.byWire.get(link.wire ?? "") ?? [];
    return all.filter((other) => other !== link);
  }

  /** MAC of `ip` on the link's segment: by hand, or as ARP would find it. */
  resolve(link: Link, ip: string): string | undefined {
    const known = link.namespace.neighbours.get(ip);
    if (known) return known;
    const found = this.segment(link).find(
      (other) =>
        other.proxyArp || other.addresses.some((address) => address.ip === ip),
    );
    return found?.mac;
  }

  /** All links that hear a broadcast on this one. */
  private segment(link: Link): readonly Link[] {
    if (link.kind === "bridge") return this.behind(link);
    const direct = this.across(link);
    return direct.flatMap((other) =>
      other.master ? [other.master, ...this.behind(other.master)] : [other],
    );
  }

  private behind(bridge: Link): readonly Link[] {
    return portsOf(bridge).flatMap((port) => [...this.across(port)]);
  }
}
