/**
 * A packet on its way: through veth pairs, over bridges, by routes, into and
 * out of tunnels, past the hooks of netfilter. Every interface that sees it
 * notes it down, as tcpdump would.
 * Models:     Linux IPv4 forwarding, bridge and br_netfilter, vxlan
 * Leaves out: ARP's own packets, fragments, queues; every step takes no time.
 * Longer because: each step leads to the next, and a packet takes them all.
 */
import { type Link, type LinkProgram, portsOf } from "./link.ts";
import type { NetworkNamespace } from "./namespace.ts";
import { type NetfilterHost, passHook } from "./netfilter.ts";
import type { Frame, Packet } from "./packet.ts";
import { lookup } from "./route.ts";
import { ipipOuter, tunnelEnd, vxlanOuter } from "./tunnels.ts";
import type { Wires } from "./wires.ts";

/** An interface that saw a frame; the frame is a copy. */
export interface Sighting {
  readonly link: Link;
  readonly frame: Frame;
}

export interface WalkHost extends NetfilterHost {
  readonly wires: Wires;
  readonly onSighting: (sighting: Sighting) => void;
  /** The packet has come to an address of this namespace. */
  readonly deliver: (namespace: NetworkNamespace, packet: Packet) => void;
  /** It did not get any further, and why. */
  readonly onLost?: (namespace: NetworkNamespace, reason: string) => void;
}

export class Walk {
  private readonly host: WalkHost;

  constructor(host: WalkHost) {
    this.host = host;
  }

  // region: send
  /** A process of the namespace sends the packet. */
  send(namespace: NetworkNamespace, packet: Packet): void {
    if (!passHook(this.host, namespace, "output", packet)) {
      return this.refused(namespace, packet);
    }
    if (namespace.linkOf(packet.dst))
      return this.host.deliver(namespace, packet);
    this.route(namespace, packet);
  }
  // endregion: send

  /** Finds the way out, passes the last hook, and leaves. */
  private route(namespace: NetworkNamespace, packet: Packet): void {
    const route = lookup(namespace.routes, packet.dst);
    const link = route?.device ? namespace.links.get(route.device) : undefined;
    if (!route || route.blackhole || !link) {
      return this.lost(namespace, `no route to ${packet.dst}`);
    }
    passHook(this.host, namespace, "postrouting", packet, { out: link });
    if (packet.bytes > link.mtu) {
      return this.lost(namespace, `message too long, mtu=${link.mtu}`);
    }
    const next = route.gateway ?? packet.dst;
    if (link.kind === "ipip") {
      this.note(link, { srcMac: "", dstMac: "", packet });
      forget(packet);
      return this.encapsulate(link, { srcMac: "", dstMac: "", packet }, next);
    }
    const dstMac = this.host.wires.resolve(link, next);
    if (!dstMac) return this.lost(namespace, `${packet.dst} does not answer`);
    this.transmit(link, { srcMac: link.mac, dstMac, packet });
  }

  /** A frame leaves by the link. */
  private transmit(link: Link, frame: Frame): void {
    this.note(link, frame);
    if (this.taken(link, frame, link.egress)) return;
    // What rules said about it stays in the namespace.
    if (link.kind !== "bridge") forget(frame.packet);
    if (link.kind === "bridge") return this.bridgeOut(link, frame, undefined);
    if (link.kind === "vxlan") return this.encapsulate(link, frame);
    for (const other of this.host.wires.across(link)) {
      if (link.kind === "veth" || other.mac === frame.dstMac) {
        return this.receive(other, frame);
      }
    }
  }

  private receive(link: Link, frame: Frame): void {
    this.note(link, frame);
    if (this.taken(link, frame, link.ingress)) return;
    if (link.master) return this.bridgeIn(link.master, link, frame);
    this.ipIn(link, frame, false);
  }

  // region: program
  /** An eBPF program at the link may drop the frame or send it elsewhere. */
  private taken(link: Link, frame: Frame, program?: LinkProgram): boolean {
    const verdict = program?.(frame.packet, link) ?? PASS;
    if (verdict.kind === "pass") return false;
    if (verdict.kind === "drop") {
      this.lost(link.namespace, verdict.reason);
      return true;
    }
    const { to, remote, via } = verdict;
    frame.packet.ttl--;
    forget(frame.packet);
    if (remote) {
      this.note(to, frame);
      this.encapsulate(to, frame, remote);
    } else {
      frame.srcMac = to.mac;
      const mac = via ? this.host.wires.resolve(to, via) : to.peer?.mac;
      frame.dstMac = mac ?? "";
      this.transmit(to, frame);
    }
    return true;
  }
  // endregion: program

  // region: bridge
  /** A bridge port got a frame. With br_netfilter, rules see it already here. */
  private bridgeIn(bridge: Link, port: Link, frame: Frame): void {
    const { namespace } = bridge;
    const { packet } = frame;
    const filtered = namespace.sysctl.get(BRIDGE_NF) !== "0";
    if (filtered) {
      const before = packet.dst;
      if (!passHook(this.host, namespace, "prerouting", packet)) {
        return this.refused(namespace, packet);
      }
      if (packet.dst !== before) this.readdress(bridge, frame);
    }
    if (frame.dstMac !== bridge.mac) {
      if (filtered)
        passHook(this.host, namespace, "postrouting", packet, { out: bridge });
      return this.bridgeOut(bridge, frame, port);
    }
    this.note(bridge, frame);
    this.ipIn(bridge, frame, filtered);
  }
  // endregion: bridge

  /** The destination changed: who gets the frame now, a port or the node? */
  private readdress(bridge: Link, frame: Frame): void {
    const { dst } = frame.packet;
    const route = lookup(bridge.namespace.routes, dst);
    const here = route?.device === bridge.name;
    const mac = here
      ? this.host.wires.resolve(bridge, route?.gateway ?? dst)
      : "";
    frame.dstMac = mac || bridge.mac;
  }

  /** To the port behind which the address is; not back, without hairpin. */
  private bridgeOut(bridge: Link, frame: Frame, from: Link | undefined): void {
    const port = portsOf(bridge).find((each) =>
      this.host.wires.across(each).some((other) => other.mac === frame.dstMac),
    );
    const { namespace } = bridge;
    if (!port) return this.lost(namespace, `no port for ${frame.dstMac}`);
    if (port === from && !port.hairpin) {
      return this.lost(namespace, `no way back through ${port.name}`);
    }
    this.transmit(port, frame);
  }

  private ipIn(link: Link, frame: Frame, seen: boolean): void {
    const { namespace } = link;
    const { packet } = frame;
    if (frame.inner && packet.dst === link.addresses[0]?.ip) {
      return this.decapsulate(link, frame);
    }
    const from = link;
    if (!seen && !passHook(this.host, namespace, "prerouting", packet)) {
      return this.refused(namespace, packet);
    }
    if (namespace.linkOf(packet.dst)) {
      if (!passHook(this.host, namespace, "input", packet, { from })) {
        return this.refused(namespace, packet);
      }
      if (!namespace.linkOf(packet.dst)) return this.sendOn(namespace, packet);
      forget(packet);
      return this.host.deliver(namespace, packet);
    }
    if (namespace.sysctl.get("net.ipv4.ip_forward") !== "1") {
      return this.lost(namespace, "does not forward");
    }
    if (--packet.ttl === 0) {
      return this.lost(namespace, "time to live exceeded");
    }
    const out = this.wayOut(namespace, packet);
    if (!passHook(this.host, namespace, "forward", packet, { from, out })) {
      return this.refused(namespace, packet);
    }
    this.route(namespace, packet);
  }

  /** IPVS took it in, and sends it to a real server as if it were its own. */
  private sendOn(namespace: NetworkNamespace, packet: Packet): void {
    if (--packet.ttl === 0) {
      return this.lost(namespace, "time to live exceeded");
    }
    const out = this.wayOut(namespace, packet);
    if (!passHook(this.host, namespace, "output", packet, { out })) {
      return this.refused(namespace, packet);
    }
    this.route(namespace, packet);
  }

  private wayOut({ routes, links }: NetworkNamespace, { dst }: Packet) {
    return links.get(lookup(routes, dst)?.device ?? "");
  }

  // region: tunnel
  /** Into a tunnel: what goes out is a packet from node to node. */
  private encapsulate(link: Link, frame: Frame, remote?: string): void {
    const outer =
      link.kind === "ipip"
        ? ipipOuter(link, frame.packet, remote)
        : vxlanOuter(link, frame, remote);
    const { namespace } = link;
    if (!outer) return this.lost(namespace, `no node for ${frame.dstMac}`);
    const { device } = outer;
    const to = outer.frame.packet.dst;
    const gateway = lookup(namespace.routes, to)?.gateway;
    const dstMac = this.host.wires.resolve(device, gateway ?? to) ?? "";
    this.transmit(device, { ...outer.frame, dstMac });
  }

  private decapsulate(at: Link, frame: Frame): void {
    const link = tunnelEnd(at, frame);
    if (link && frame.inner) this.receive(link, frame.inner);
  }
  // endregion: tunnel

  private note(link: Link, frame: Frame): void {
    const copy = { ...frame, packet: { ...frame.packet } };
    const inner = frame.inner && {
      ...frame.inner,
      packet: { ...frame.inner.packet },
    };
    this.host.onSighting({ link, frame: { ...copy, inner } });
  }

  private refused(namespace: NetworkNamespace, packet: Packet): void {
    const how = packet.rejected ? "rejected" : "dropped";
    this.lost(namespace, `${how} by a rule`);
  }

  private lost(namespace: NetworkNamespace, reason: string): void {
    this.host.onLost?.(namespace, reason);
  }
}

const PASS = { kind: "pass" } as const;
const BRIDGE_NF = "net.bridge.bridge-nf-call-iptables";

function forget(packet: Packet): void {
  packet.tracked = undefined;
  packet.virtual = undefined;
  packet.mark = 0;
}
