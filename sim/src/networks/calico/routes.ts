/**
 * Calico's ways between nodes: a tunnel device, and a route to each block of
 * the others, by the tunnel or by the node itself.
 * Models: projectcalico/calico felix/dataplane/linux (ipip, vxlan), bird
 */
import type { Link } from "../../network/link.ts";
import { replaceRoute } from "../../network/route.ts";
import type { Encapsulation, Machine } from "../machine.ts";

export interface Tunnel {
  readonly kind: Encapsulation;
  /** tunl0 or vxlan.calico; absent where there is none. */
  readonly link?: Link;
}

/** A block of another node. */
export interface Remote {
  readonly cidr: string;
  /** The node's own address. */
  readonly address: string;
  /** Of its VXLAN end; "" while it has told none. */
  readonly tunnelAddress: string;
  readonly tunnelMac: string;
}

const VNI = 4096;
const PORT = 4789;

/** `address`: of this node's end, out of its own block. */
export function makeTunnel(
  { network, address: local }: Machine,
  kind: Encapsulation,
  address: string,
): Tunnel {
  if (kind === "none") return { kind };
  const { root } = network;
  const name = kind === "ipip" ? "tunl0" : "vxlan.calico";
  const known = root.links.get(name);
  if (known) return { kind, link: known };
  const eth0 = root.links.get("eth0");
  const mtu = (eth0?.mtu ?? 1500) - (kind === "ipip" ? 20 : 50);
  const link = root.addLink({ name, kind, mac: network.mac(), mtu });
  root.addAddress(link, `${address}/32`, false);
  const device = "eth0";
  if (kind === "ipip") link.ipip = { local, device };
  else {
    link.vxlan = { id: VNI, local, device, port: PORT, learning: false };
    link.fdb = new Map();
  }
  return { kind, link };
}

// region: route
export function routeTo(
  { network }: Machine,
  { kind, link }: Tunnel,
  { cidr: destination, address, tunnelAddress, tunnelMac }: Remote,
): void {
  const { root } = network;
  if (!address) return;
  if (kind === "vxlan") {
    if (!tunnelAddress || !link) return;
    root.neighbours.set(tunnelAddress, tunnelMac);
    link.fdb?.set(tunnelMac, address);
    const gateway = tunnelAddress;
    const device = link.name;
    replaceRoute(root, { destination, gateway, device, onlink: true });
    return;
  }
  const device = link?.name ?? "eth0";
  const onlink = link !== undefined;
  const protocol = "bird";
  replaceRoute(root, {
    ...{ destination, gateway: address, device, protocol, onlink },
  });
}
// endregion: route
