/**
 * flannel's backends: how a node's kernel gets packets to the other nodes'
 * Pods. vxlan: in a tunnel. host-gw: by a route to the node itself, which
 * has to be on the same segment.
 * Models:     flannel pkg/backend/{vxlan,hostgw} @ v0.28
 * Leaves out: DirectRouting.
 * Try:        leave one of the three entries out in `Vxlan.add`, and follow a
 *             packet to see where it ends.
 */
import type { Link } from "../../network/link.ts";
import { replaceRoute } from "../../network/route.ts";
import type { Machine } from "../machine.ts";

/** Another node, as its annotations tell. */
export interface Lease {
  readonly type: string;
  /** The node's own address. */
  readonly address: string;
  /** Its Pods' addresses. */
  readonly subnet: string;
  /** Of its tunnel's end; "" for host-gw. */
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

const VNI = 1;
const PORT = 8472;
const OVERHEAD_BYTES = 50;

export class Vxlan implements Backend {
  readonly type = "vxlan";
  readonly mtu: number;
  private readonly machine: Machine;
  private readonly device: Link;

  constructor(machine: Machine) {
    this.machine = machine;
    const { root } = machine.network;
    const eth0 = root.links.get("eth0");
    this.mtu = (eth0?.mtu ?? 1500) - OVERHEAD_BYTES;
    this.device = root.links.get(`flannel.${VNI}`) ?? this.makeDevice();
  }

  private makeDevice(): Link {
    const { network, address } = this.machine;
    const name = `flannel.${VNI}`;
    const mac = network.mac();
    const { mtu } = this;
    const link = network.root.addLink({ name, kind: "vxlan", mac, mtu });
    link.vxlan = {
      ...{ id: VNI, local: address, device: "eth0", port: PORT },
      learning: false,
    };
    link.fdb = new Map();
    return link;
  }

  setUp(subnet: string): string {
    const { device } = this;
    if (device.addresses.length === 0) {
      const address = `${baseOf(subnet)}/32`;
      this.machine.network.root.addAddress(device, address, false);
    }
    return JSON.stringify({ VNI, VtepMAC: device.mac });
  }

  // region: add
  /** ARP: who is the gateway there? FDB: on which node? And the route. */
  add({ type, subnet, mac, address }: Lease): void {
    if (type !== this.type) return;
    const { root } = this.machine.network;
    const gateway = baseOf(subnet);
    root.neighbours.set(gateway, mac);
    this.device.fdb?.set(mac, address);
    const device = this.device.name;
    replaceRoute(root, { destination: subnet, gateway, device, onlink: true });
  }
  // endregion: add

  remove({ subnet, mac }: Lease): void {
    const { root } = this.machine.network;
    root.routes = root.routes.filter((route) => route.destination !== subnet);
    this.device.fdb?.delete(mac);
    root.neighbours.delete(baseOf(subnet));
  }
}

export class HostGateway implements Backend {
  readonly type = "host-gw";
  readonly mtu: number;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
    this.mtu = machine.network.root.links.get("eth0")?.mtu ?? 1500;
  }

  setUp(): string {
    return "null";
  }

  add({ type, subnet: destination, address: gateway }: Lease): void {
    if (type !== this.type) return;
    const { root } = this.machine.network;
    replaceRoute(root, { destination, gateway, device: "eth0" });
  }

  remove({ subnet }: Lease): void {
    const { root } = this.machine.network;
    root.routes = root.routes.filter((route) => route.destination !== subnet);
  }
}

/** `10.244.1.0` of `10.244.1.0/24`: the tunnel's end there. */
function baseOf(subnet: string): string {
  return subnet.split("/")[0]!;
}
