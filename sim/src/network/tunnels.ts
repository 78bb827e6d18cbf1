/**
 * Tunnels: the packet that carries another one between two nodes.
 * Models: Linux vxlan (a whole frame in UDP) and ipip (a packet in a packet)
 */
import type { Link } from "./link.ts";
import {
  type Frame,
  IPIP_OVERHEAD_BYTES,
  type Packet,
  VXLAN_OVERHEAD_BYTES,
} from "./packet.ts";

/** What leaves by `device` to the node at `remote`; its MAC is still open. */
export interface Outer {
  readonly device: Link;
  readonly frame: Frame;
}

/**
 * The whole frame becomes the load of a packet between the nodes. `remote`
 * is the other node's address; without it the FDB knows by the inner MAC.
 */
export function vxlanOuter(
  link: Link,
  inner: Frame,
  remote = link.fdb?.get(inner.dstMac),
): Outer | undefined {
  const { vxlan, namespace } = link;
  const device = vxlan && namespace.links.get(vxlan.device);
  if (!vxlan || !remote || !device) return undefined;
  const packet: Packet = {
    ...{ protocol: "udp", src: vxlan.local, dst: remote },
    ...{ srcPort: sourcePort(inner), dstPort: vxlan.port },
    ...{ ttl: 64, mark: 0, way: inner.packet.way },
    bytes: inner.packet.bytes + VXLAN_OVERHEAD_BYTES,
  };
  const { id: vni } = vxlan;
  const frame = { srcMac: device.mac, dstMac: "", packet, inner, vni };
  return { device, frame };
}

/** The packet goes to the route's gateway in a second IP header. */
export function ipipOuter(
  link: Link,
  inner: Packet,
  remote: string | undefined,
): Outer | undefined {
  const { ipip, namespace } = link;
  const device = ipip && namespace.links.get(ipip.device);
  if (!ipip || !remote || !device) return undefined;
  const packet: Packet = {
    ...{ protocol: "ipip", src: ipip.local, dst: remote },
    ...{ srcPort: 0, dstPort: 0, ttl: 64, mark: 0, way: inner.way },
    bytes: inner.bytes + IPIP_OVERHEAD_BYTES,
  };
  const frame = { srcMac: "", dstMac: "", packet: inner };
  return {
    device,
    frame: { srcMac: device.mac, dstMac: "", packet, inner: frame },
  };
}

/** The tunnel's end on this node that takes what is inside. */
export function tunnelEnd(at: Link, { packet, vni }: Frame): Link | undefined {
  for (const link of at.namespace.links.values()) {
    const fits =
      packet.protocol === "ipip" ? link.ipip : link.vxlan?.id === vni;
    if (fits) return link;
  }
  return undefined;
}

/** Equal for all packets of a conversation, so that they stay in order. */
function sourcePort({ packet }: Frame): number {
  const text = `${packet.src}${packet.srcPort}${packet.dst}${packet.dstPort}`;
  let h = 0;
  for (const char of text) h = (h * 31 + char.charCodeAt(0)) & 0xffff;
  return 32_768 + (h % 28_232);
}
