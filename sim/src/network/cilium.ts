/**
 * Cilium's datapath on one node: maps that the agent fills, and programs that
 * read them. A Service is resolved when a process connects, so that no packet
 * carries its address; packets between Pods pass no iptables at all.
 * Models:     cilium bpf/{bpf_sock,bpf_lxc,bpf_overlay,bpf_host}.c
 * Leaves out: identities in the tunnel's header, Maglev, session affinity.
 * Try:        let `connect` return nothing, and ask a Service.
 */
import {
  Conntrack,
  translateDestination,
  translateSource,
} from "./conntrack.ts";
import { inCidr } from "./ip.ts";
import type { Link, LinkVerdict } from "./link.ts";
import { endpointOf, type Packet } from "./packet.ts";

export type CiliumDirection = "Ingress" | "Egress";

/** May the Pod at `ip` send to, or get from, the peer? */
export type PolicyMap = (
  ip: string,
  direction: CiliumDirection,
  peer: string,
  protocol: string,
  port: number,
) => boolean;

const PASS: LinkVerdict = { kind: "pass" };

export class CiliumDatapath {
  /** Backends by `10.96.0.10:53/udp`; node ports by `0.0.0.0:30080/tcp`. */
  services = new Map<string, readonly { ip: string; port: number }[]>();
  /** Backends of node ports for who comes from outside. */
  external = new Map<string, readonly { ip: string; port: number }[]>();
  /** The node's Pods: address → the node's end of their veth. */
  readonly endpoints = new Map<string, Link>();
  /** Other nodes' Pods: prefix → address of the node. */
  readonly tunnels = new Map<string, string>();
  policy: PolicyMap = () => true;
  /** Container ids by address that was given out. */
  readonly given = new Map<string, string>();
  readonly podCIDR: string;
  readonly router: string;
  readonly nodeIp: string;
  private readonly overlay: Link | undefined;
  private readonly random: (bound: number) => number;
  private readonly ct = new Conntrack();
  /** Conversations that a policy has let begin, as their answers come. */
  private readonly allowed = new Set<string>();

  constructor(options: {
    podCIDR: string;
    router: string;
    nodeIp: string;
    overlay: Link | undefined;
    random: (bound: number) => number;
  }) {
    this.podCIDR = options.podCIDR;
    this.router = options.router;
    this.nodeIp = options.nodeIp;
    this.overlay = options.overlay;
    this.random = options.random;
  }

  // region: connect
  /** cgroup/connect4: the process is connected to a backend at once. */
  connect = (protocol: string, ip: string, port: number) => {
    const own = ip === this.nodeIp ? "0.0.0.0" : ip;
    const known = this.services.has(`${own}:${port}/${protocol}`);
    // EHOSTUNREACH: a Service without backends.
    return this.backend(own, port, protocol) ?? (known ? null : undefined);
  };
  // endregion: connect

  /** At a Pod's veth: what comes from the Pod. */
  fromContainer = (packet: Packet): LinkVerdict => {
    const { src, dst, dstPort, protocol } = packet;
    if (this.services.has(`${dst}:${dstPort}/${protocol}`)) {
      return NO_BACKEND;
    }
    if (!this.passes(packet, src, "Egress", dst)) return DENIED;
    this.translate(packet);
    return this.deliver(packet);
  };

  /** At the tunnel, and at cilium_host for the node's own packets. */
  fromOverlay = (packet: Packet): LinkVerdict => this.deliver(packet);

  // region: node-port
  /** At eth0: node ports are resolved here, and their answers turned back. */
  fromNetdev = (packet: Packet): LinkVerdict => {
    if (packet.protocol === "icmp" || packet.dst !== this.nodeIp) return PASS;
    this.ct.track(packet);
    const { tracked, dstPort, protocol } = packet;
    if (tracked && !tracked.reply && !tracked.with.dnat) {
      const own = this.external.get(`0.0.0.0:${dstPort}/${protocol}`);
      const backend = own && this.oneOf(own);
      if (!backend) {
        packet.tracked = undefined;
        return own ? NO_BACKEND : PASS;
      }
      this.ct.setDestination(packet, backend.ip, backend.port);
      // A Pod of another node has to answer through this one.
      const here = this.endpoints.has(backend.ip);
      const port = 32_768 + this.random(28_232);
      if (!here) this.ct.setSource(packet, this.nodeIp, port);
    }
    translateDestination(packet);
    translateSource(packet);
    packet.tracked = undefined;
    return this.deliver(packet);
  };
  // endregion: node-port

  private translate(packet: Packet): void {
    this.ct.track(packet);
    if (packet.tracked?.reply) {
      translateDestination(packet);
      translateSource(packet);
    }
    packet.tracked = undefined;
  }

  /** To a Pod of this node, into the tunnel, or on to the node's own stack. */
  private deliver(packet: Packet): LinkVerdict {
    const { dst, src } = packet;
    const to = this.endpoints.get(dst);
    if (to) {
      return this.passes(packet, dst, "Ingress", src)
        ? { kind: "redirect", to }
        : DENIED;
    }
    if (!this.overlay) return PASS;
    for (const [cidr, remote] of this.tunnels) {
      if (inCidr(dst, cidr)) {
        return { kind: "redirect", to: this.overlay, remote };
      }
    }
    return PASS;
  }

  private passes(
    packet: Packet,
    ip: string,
    direction: CiliumDirection,
    peer: string,
  ): boolean {
    const { src, srcPort, dst, dstPort, protocol } = packet;
    const from = endpointOf(src, srcPort);
    const to = endpointOf(dst, dstPort);
    if (this.allowed.has(`${direction} ${protocol} ${from} ${to}`)) return true;
    // The node itself may always ask its own Pods: probes need it.
    const host = peer === this.router || peer === this.nodeIp;
    const known = direction === "Ingress" && host;
    if (!known && !this.policy(ip, direction, peer, protocol, dstPort)) {
      return false;
    }
    const other = direction === "Ingress" ? "Egress" : "Ingress";
    this.allowed.add(`${other} ${protocol} ${to} ${from}`);
    return true;
  }

  private backend(ip: string, port: number, protocol: string) {
    return this.oneOf(this.services.get(`${ip}:${port}/${protocol}`) ?? []);
  }

  private oneOf<T>(all: readonly T[]): T | undefined {
    return all.length > 0 ? all[this.random(all.length)] : undefined;
  }
}

const NO_BACKEND: LinkVerdict = {
  ...{ kind: "drop", reason: "Service backend not found" },
};
const DENIED: LinkVerdict = { kind: "drop", reason: "Policy denied" };
