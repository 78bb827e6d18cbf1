/**
 * A network namespace: its interfaces, addresses, routes and neighbours. A
 * node has one of its own; each Pod gets another. A new one holds `lo` alone,
 * and that is down: the Pod's interface is the network plugin's work.
 * Models:     `ip netns add`, `ip link`, `ip addr`, `ip route`, `ip neigh`
 * Leaves out: IPv6 router advertisements, policy routing.
 */
import type { CiliumDatapath } from "./cilium.ts";
import { Conntrack } from "./conntrack.ts";
import { formatIp, formatNetwork, lastOf, parseCidr } from "./ip.ts";
import { Iptables } from "./iptables.ts";
import type { Ipvs } from "./ipvs.ts";
import type { Address, Link, LinkKind } from "./link.ts";
import type { Listeners } from "./listeners.ts";
import type { Nftables } from "./nftables.ts";
import type { Route } from "./route.ts";

/** Where it is connected instead; undefined: as it asked; null: nowhere. */
export type ConnectProgram = (
  protocol: string,
  ip: string,
  port: number,
) => { readonly ip: string; readonly port: number } | null | undefined;

export class NetworkNamespace {
  /** `/var/run/netns/cni-…`; "" for the node's own. */
  readonly path: string;
  readonly links = new Map<string, Link>();
  routes: Route[] = [];
  /** Rules of nft, if anybody made any. */
  nftables: Nftables | null = null;
  /** Virtual servers, if anybody made any. */
  ipvs: Ipvs | null = null;
  private lists: Map<string, Map<string, number>> | null = null;
  /** Cilium's maps and programs, pinned: they outlive the agent. */
  cilium: CiliumDatapath | null = null;
  /** An eBPF program that sees every `connect` of a process in here. */
  connect: ConnectProgram | null = null;
  private sets: Map<string, ReadonlySet<string>> | null = null;
  private sockets: Listeners | null = null;
  private nextIndex = 1;
  private neighbourTable: Map<string, string> | null = null;
  private settings: Map<string, string> | null = null;
  private rules: Iptables | null = null;
  private conversations: Conntrack | null = null;

  constructor(path: string) {
    this.path = path;
    const lo = this.addLink({ name: "lo", kind: "loopback", mac: NO_MAC });
    lo.mtu = 65536;
    lo.up = false;
  }

  /** Permanent neighbour entries by hand: address → MAC. */
  get neighbours(): Map<string, string> {
    return (this.neighbourTable ??= new Map());
  }

  get sysctl(): Map<string, string> {
    return (this.settings ??= new Map());
  }

  /** xt_recent: when each client came last, in ms, by the list's name. */
  get recent(): Map<string, Map<string, number>> {
    return (this.lists ??= new Map());
  }

  /** `ipset`: addresses by the name of their set. */
  get ipsets(): Map<string, ReadonlySet<string>> {
    return (this.sets ??= new Map());
  }

  /** Programs of the machine that listen here. */
  get listeners(): Listeners {
    return (this.sockets ??= new Map());
  }

  /** The namespace's iptables rules; made when first asked for. */
  get iptables(): Iptables {
    return (this.rules ??= new Iptables());
  }

  get conntrack(): Conntrack {
    return (this.conversations ??= new Conntrack());
  }

  /** True if any iptables rule was ever made here. */
  get hasRules(): boolean {
    return this.rules !== null;
  }

  addLink(link: {
    name: string;
    kind: LinkKind;
    mac: string;
    mtu?: number;
    index?: number;
  }): Link {
    if (this.links.has(link.name)) throw new Error("file exists");
    const index = link.index ?? this.nextIndex++;
    this.nextIndex = Math.max(this.nextIndex, index + 1);
    const { name, kind, mac, mtu = 1500 } = link;
    const made: Link = {
      index,
      name,
      kind,
      mac,
      mtu,
      up: true,
      addresses: NO_ADDRESSES,
      namespace: this,
    };
    this.links.set(name, made);
    return made;
  }

  /** Removes a link with its routes; a veth takes its other end along. */
  removeLink(name: string): boolean {
    const link = this.links.get(name);
    if (!link) return false;
    this.links.delete(name);
    this.routes = this.routes.filter((route) => route.device !== name);
    const { peer } = link;
    if (peer) {
      peer.peer = undefined;
      peer.namespace.removeLink(peer.name);
    }
    return true;
  }

  /** Adds an address, and the route to its subnet that the kernel makes. */
  addAddress(link: Link, prefix: string, withBroadcast = true): void {
    const cidr = parseCidr(prefix);
    if (!cidr) throw new Error(`not a prefix: ${prefix}`);
    const { family, length } = cidr;
    const ip = formatIp({ family, value: cidr.address });
    const loopback = link.kind === "loopback";
    const scope = loopback ? "host" : "global";
    const address: Address =
      withBroadcast && family === 4 && !loopback && length < 31
        ? {
            ip,
            length,
            scope,
            broadcast: formatIp({ family, value: lastOf(cidr) }),
          }
        : { ip, length, scope };
    link.addresses = link.addresses.concat(address);
    if (loopback || length === (family === 4 ? 32 : 128)) return;
    const destination = formatNetwork(cidr);
    const kernel = { scope: "link", protocol: "kernel", source: ip } as const;
    this.addRoute({ destination, device: link.name, ...kernel });
  }

  addRoute(route: Route): void {
    // A Pod has two: to push would make room for seventeen.
    if (this.routes.length < FEW) this.routes = this.routes.concat(route);
    else this.routes.push(route);
  }

  /** The link that has this address, if it is one of the namespace's own. */
  linkOf(ip: string): Link | undefined {
    for (const link of this.links.values()) {
      if (link.addresses.some((address) => address.ip === ip)) return link;
    }
    return undefined;
  }
}

const FEW = 8;
const NO_ADDRESSES: readonly Address[] = Object.freeze([]);
export const NO_MAC = "00:00:00:00:00:00";
