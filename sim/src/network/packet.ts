/**
 * Packets and frames, as far as they matter on their way: addresses, ports,
 * the marks that rules leave, and the Ethernet header around them.
 */
import type { Conversation } from "./conntrack.ts";

export type Protocol = "tcp" | "udp" | "icmp" | "ipip";

export interface Packet {
  readonly protocol: Protocol;
  src: string;
  dst: string;
  /** 0 for ICMP. */
  srcPort: number;
  dstPort: number;
  ttl: number;
  /** With the IP header, in bytes. */
  readonly bytes: number;
  /** What this packet is to whoever sent the first one. */
  readonly way: "request" | "reply";
  /** Set by rules, lost when the packet leaves the namespace. */
  mark: number;
  /** Its conversation in the namespace that it is in. */
  tracked?: { readonly with: Conversation; readonly reply: boolean };
  /** A rule refused it, and its sender is told. */
  rejected?: boolean;
  /** The virtual server of IPVS that has sent it on. */
  virtual?: { readonly ip: string; readonly port: number };
}

/** A packet in an Ethernet frame; in a tunnel, a frame in a packet in a frame. */
export interface Frame {
  srcMac: string;
  dstMac: string;
  packet: Packet;
  /** The frame inside, if the packet is a tunnel's: VXLAN or IPIP. */
  readonly inner?: Frame;
  readonly vni?: number;
}

export const ETHERNET_BYTES = 14;
/** Outer IPv4, UDP, VXLAN and the inner Ethernet header. */
export const VXLAN_OVERHEAD_BYTES = 50;
/** Outer IPv4 alone: there is no Ethernet header inside. */
export const IPIP_OVERHEAD_BYTES = 20;

export function frameBytes({ packet }: Frame): number {
  return packet.bytes + ETHERNET_BYTES;
}

/** `10.244.1.2:40000`, or the address alone without ports. */
export function endpointOf(ip: string, port: number): string {
  return port === 0 ? ip : `${ip}:${port}`;
}
