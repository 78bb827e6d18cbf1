/**
 * Network interfaces as Linux has them: what `ip link` and `ip addr` show.
 * Models:     the kernel's net_device of types loopback, veth, bridge, vxlan
 * Leaves out: queues, offloads, statistics.
 */
import type { NetworkNamespace } from "./namespace.ts";
import type { Packet } from "./packet.ts";

export type LinkKind =
  | "loopback"
  | "ethernet"
  | "veth"
  | "bridge"
  | "vxlan"
  | "ipip"
  | "dummy";

export interface Address {
  /** Without the prefix length: `10.244.1.1`. */
  readonly ip: string;
  readonly length: number;
  readonly scope: "global" | "host" | "link";
  /** Not set by every tool that adds an address. */
  readonly broadcast?: string;
}

/** What makes a link a VXLAN end. */
export interface VxlanSettings {
  readonly id: number;
  /** Address of the node from which the outer packets leave. */
  readonly local: string;
  /** Interface that carries the outer packets. */
  readonly device: string;
  readonly port: number;
  readonly learning: boolean;
}

export interface Link {
  readonly index: number;
  name: string;
  readonly kind: LinkKind;
  mac: string;
  mtu: number;
  up: boolean;
  addresses: readonly Address[];
  namespace: NetworkNamespace;
  /** Packets that may wait to be sent; not set by every tool. */
  queueLength?: number;
  /** The other end of a veth. */
  peer?: Link;
  /** The bridge that this link is a port of. */
  master?: Link;
  /** As a bridge port: may a frame go back out where it came in? */
  hairpin?: boolean;
  vxlan?: VxlanSettings;
  /** What makes it an IPIP end: where the outer packets leave, and as whom. */
  ipip?: { readonly local: string; readonly device: string };
  /** Forwarding entries set by hand: MAC → node address (VXLAN). */
  fdb?: Map<string, string>;
  /** Answers ARP for every address, as if it were each of them. */
  proxyArp?: boolean;
  /** eBPF programs that see each frame on its way in, and out. */
  ingress?: LinkProgram;
  egress?: LinkProgram;
  /** The wire that an ethernet link hangs on; same wire, same segment. */
  wire?: string;
}

/** What an eBPF program at a link says of a frame, which it may change. */
export type LinkVerdict =
  | { readonly kind: "pass" }
  | { readonly kind: "drop"; readonly reason: string }
  /**
   * Out by another link; `remote`: through its tunnel to that node; `via`: to
   * whoever has that address on its segment.
   */
  | {
      readonly kind: "redirect";
      readonly to: Link;
      readonly remote?: string;
      readonly via?: string;
    };

/** Models: programs of types sched_cls at tc or tcx. */
export type LinkProgram = (packet: Packet, link: Link) => LinkVerdict;

/** Ports of a bridge, in the order in which they joined. */
export function portsOf(bridge: Link): Link[] {
  return [...bridge.namespace.links.values()].filter(
    (link) => link.master === bridge,
  );
}

/** The link's first IPv4 address, which it uses as a source. */
export function firstAddress(link: Link): string | undefined {
  return link.addresses.find((address) => !address.ip.includes(":"))?.ip;
}
