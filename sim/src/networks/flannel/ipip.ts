/**
 * flannel's backend ipip: a packet for another node's Pod gets a second IP
 * header. No FDB and no ARP: the route names the node itself.
 * Models: flannel pkg/backend/ipip @ v0.28
 */
import type { Link } from "../../network/link.ts";
import { replaceRoute } from "../../network/route.ts";
import type { Machine } from "../machine.ts";
import {
  type Backend,
  isOnLink,
  type Lease,
  layBase,
  nodeMtu,
  removeRoute,
  routeDirectly,
} from "./backend.ts";
import type { BackendConf } from "./net-conf.ts";

const NAME = "flannel.ipip";
const OVERHEAD_BYTES = 20;

export class Ipip implements Backend {
  readonly type = "ipip";
  readonly mtu: number;
  private readonly machine: Machine;
  private readonly conf: BackendConf;
  private readonly device: Link;

  constructor(machine: Machine, conf: BackendConf) {
    this.machine = machine;
    this.conf = conf;
    this.mtu = nodeMtu(machine, conf) - OVERHEAD_BYTES;
    const { root } = machine.network;
    this.device = root.links.get(NAME) ?? this.makeDevice();
  }

  private makeDevice(): Link {
    const { network, address } = this.machine;
    const { mtu } = this;
    const mac = network.mac();
    const link = network.root.addLink({ name: NAME, kind: "ipip", mac, mtu });
    link.ipip = { local: address, device: "eth0" };
    return link;
  }

  setUp(subnet: string): string {
    layBase(this.machine, this.device, subnet);
    return "null";
  }

  add(lease: Lease): void {
    const { type, subnet: destination, address: gateway } = lease;
    if (type !== this.type) return;
    if (this.conf.DirectRouting && isOnLink(this.machine, gateway)) {
      return routeDirectly(this.machine, lease);
    }
    const { root } = this.machine.network;
    const device = this.device.name;
    replaceRoute(root, { destination, gateway, device, onlink: true });
  }

  remove({ type, subnet }: Lease): void {
    if (type === this.type) removeRoute(this.machine, subnet);
  }
}
