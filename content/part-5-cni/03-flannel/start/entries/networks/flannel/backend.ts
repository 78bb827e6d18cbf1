/**
 * flannel's backends: how a node's kernel gets packets to the other nodes'
 * Pods. vxlan: in a tunnel. host-gw: by a route to the node itself, which
 * has to be on the same segment. ipip (ipip.ts): in a second IP header.
 * Models: flannel pkg/backend/{vxlan,hostgw} @ v0.28
 * Stands in for: networks/flannel/backend.ts, where vxlan is whole.
 */
import type { Link } from "../../network/link.ts";
import { lookup, replaceRoute } from "../../network/route.ts";
import type { Machine } from "../machine.ts";
import type { BackendConf } from "./net-conf.ts";

/** Another node, as its annotations tell. */
export interface Lease {
  readonly type: string;
  /** The node's own address. */
  readonly address: string;
  /** Its Pods' addresses. */
  readonly subnet: string;
  /** Of its tunnel's end; "" where there is none. */
  readonly mac: string;
}

export interface Backend {
  readonly type: string;
  /** Of the Pods' interfaces, in bytes. */
  readonly mtu: number;
  /** Makes the node's own end; returns what its annotation says. */
  setUp(subnet: string): string;
  add(lease: Lease): void;
  remove(lease: Lease): void;
}

const VNI_DEFAULT = 1;
/** The kernel's own; the standard's is 4789. */
const PORT_DEFAULT = 8472;
const OVERHEAD_BYTES = 50;

export class Vxlan implements Backend {
  readonly type = "vxlan";
  readonly mtu: number;
  private readonly machine: Machine;
  private readonly conf: BackendConf;
  private readonly vni: number;
  private readonly device: Link;

  constructor(machine: Machine, conf: BackendConf) {
    this.machine = machine;
    this.conf = conf;
    this.vni = conf.VNI ?? VNI_DEFAULT;
    const { root } = machine.network;
    this.mtu = nodeMtu(machine, conf) - OVERHEAD_BYTES;
    const name = `flannel.${this.vni}`;
    this.device = root.links.get(name) ?? this.makeDevice(name);
  }

  private makeDevice(name: string): Link {
    const { network, address } = this.machine;
    const mac = network.mac();
    const { mtu, vni: id, conf } = this;
    const link = network.root.addLink({ name, kind: "vxlan", mac, mtu });
    const port = conf.Port || PORT_DEFAULT;
    link.vxlan = {
      ...{ id, local: address, device: "eth0", port },
      learning: false,
    };
    link.fdb = new Map();
    return link;
  }

  setUp(subnet: string): string {
    layBase(this.machine, this.device, subnet);
    return JSON.stringify({ VNI: this.vni, VtepMAC: this.device.mac });
  }

  // region: add
  /**
   * Another node is there. To be written: the kernel needs a route to its
   * subnet, the MAC address of the gateway there, and the node behind that
   * address. As it is, the node has heard of the other and does nothing.
   */
  add(lease: Lease): void {
    const { type, address } = lease;
    if (type !== this.type) return;
    if (this.conf.DirectRouting && isOnLink(this.machine, address)) {
      return routeDirectly(this.machine, lease);
    }
    // this.device is flannel.1; its `fdb` says which MAC is on which node.
    // this.machine.network.root has `neighbours`, by IP address, and routes.
  }
  // endregion: add

  /** The other node is gone: what `add` has entered goes too. */
  remove({ type }: Lease): void {
    if (type !== this.type) return;
  }
}

export class HostGateway implements Backend {
  readonly type = "host-gw";
  readonly mtu: number;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
    this.mtu = nodeMtu(machine, { Type: this.type });
  }

  setUp(): string {
    return "null";
  }

  add(lease: Lease): void {
    if (lease.type === this.type) routeDirectly(this.machine, lease);
  }

  remove({ type, subnet }: Lease): void {
    if (type === this.type) removeRoute(this.machine, subnet);
  }
}

/** Of the node's interface, as the configuration or the kernel has it. */
export function nodeMtu({ network }: Machine, { MTU }: BackendConf): number {
  return MTU || (network.root.links.get("eth0")?.mtu ?? 1500);
}

/** The tunnel's end gets the first address of the node's Pods. */
export function layBase(machine: Machine, device: Link, subnet: string): void {
  if (device.addresses.length > 0) return;
  const address = `${baseOf(subnet)}/32`;
  machine.network.root.addAddress(device, address, false);
}

/** Reached without a router. */
export function isOnLink({ network }: Machine, address: string): boolean {
  const route = lookup(network.root.routes, address);
  return route !== undefined && !route.gateway;
}

export function routeDirectly(
  { network }: Machine,
  { subnet: destination, address: gateway }: Lease,
): void {
  replaceRoute(network.root, { destination, gateway, device: "eth0" });
}

export function removeRoute({ network }: Machine, subnet: string): void {
  const { root } = network;
  root.routes = root.routes.filter((route) => route.destination !== subnet);
}

/** `10.244.1.0` of `10.244.1.0/24`: the tunnel's end there. */
function baseOf(subnet: string): string {
  return subnet.split("/")[0]!;
}
