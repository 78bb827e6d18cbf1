/**
 * Cilium's datapath on one node: maps that the agent fills, and programs that
 * read them. A Service is resolved when a process connects, so that no packet
 * carries its address; packets between Pods pass no iptables at all.
 * Models:     cilium bpf/{bpf_sock,bpf_lxc,bpf_overlay,bpf_host}.c
 * Leaves out: identities in the tunnel's header; ClusterIPs from outside.
 * Try:        let `connectFrom` return nothing, and ask a Service.
 */
import { CiliumBalancer, letsIn } from "./cilium-lb.ts";
import {
  Conntrack,
  translateDestination,
  translateSource,
} from "./conntrack.ts";
import { inCidr } from "./ip.ts";
import type { Link, LinkVerdict } from "./link.ts";
import type { ConnectProgram } from "./namespace.ts";
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
  readonly balancer: CiliumBalancer;
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
    now: () => number;
  }) {
    this.podCIDR = options.podCIDR;
    this.router = options.router;
    this.nodeIp = options.nodeIp;
    this.overlay = options.overlay;
    this.random = options.random;
    this.balancer = new CiliumBalancer(options);
  }

  // region: connect
  /**
   * cgroup/connect4: the process is connected to a backend at once. `netns`
   * stands for the cookie of its network namespace: the client has no address
   * yet that affinity could go by.
   */
  connectFrom(netns: string): ConnectProgram {
    return (protocol, ip, port) => {
      const key = this.frontend(ip, port, protocol);
      const service = this.balancer.inside.get(key);
      if (!service) return undefined;
      // EHOSTUNREACH: a Service without backends.
      return this.balancer.choose(key, service, netns) ?? null;
    };
  }
  // endregion: connect

  /** At a Pod's veth: what comes from the Pod. */
  fromContainer = (packet: Packet): LinkVerdict => {
    const { src, dst, dstPort, protocol } = packet;
    if (this.balancer.inside.has(`${dst}:${dstPort}/${protocol}`)) {
      return NO_BACKEND;
    }
    if (!this.passes(packet, src, "Egress", dst)) return DENIED;
    this.translate(packet);
    return this.deliver(packet);
  };

  /** At the tunnel, and at cilium_host for the node's own packets. */
  fromOverlay = (packet: Packet): LinkVerdict => this.deliver(packet);

  // region: node-port
  /** At eth0: Services are resolved here, and their answers turned back. */
  fromNetdev = (packet: Packet): LinkVerdict => {
    const { src, dst, dstPort, protocol } = packet;
    const key = this.frontend(dst, dstPort, protocol);
    const service = this.balancer.outside.get(key);
    const concerned = service || dst === this.nodeIp;
    if (protocol === "icmp" || !concerned) return PASS;
    if (service && !letsIn(service, src)) return NOT_IN_RANGE;
    this.ct.track(packet);
    const { tracked } = packet;
    if (tracked && !tracked.reply && !tracked.with.dnat) {
      const backend = service && this.balancer.choose(key, service, src);
      if (!backend) {
        packet.tracked = undefined;
        return service ? NO_BACKEND : PASS;
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

  /** Node ports are known by the address 0.0.0.0, whichever the node has. */
  private frontend(ip: string, port: number, protocol: string): string {
    return `${ip === this.nodeIp ? "0.0.0.0" : ip}:${port}/${protocol}`;
  }

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
}

const NO_BACKEND: LinkVerdict = {
  ...{ kind: "drop", reason: "Service backend not found" },
};
const NOT_IN_RANGE: LinkVerdict = {
  ...{ kind: "drop", reason: "Denied by LB src range check" },
};
const DENIED: LinkVerdict = { kind: "drop", reason: "Policy denied" };
