/**
 * All network namespaces of one node, and the making of veth pairs between
 * them. Names and MAC addresses are drawn from the seeded stream.
 */
import type { Random } from "../kernel/index.ts";
import type { Link } from "./link.ts";
import { NetworkNamespace } from "./namespace.ts";

export class NodeNetwork {
  /** The node's own namespace. */
  readonly root = new NetworkNamespace("");
  private readonly namespaces = new Map<string, NetworkNamespace>();
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
    this.root.links.get("lo")!.up = true;
  }

  /** `ip netns add`: a namespace at a path such as /var/run/netns/cni-1. */
  addNamespace(path: string): NetworkNamespace {
    const namespace = new NetworkNamespace(path);
    this.namespaces.set(path, namespace);
    return namespace;
  }

  namespace(path: string): NetworkNamespace | undefined {
    return path === "" ? this.root : this.namespaces.get(path);
  }

  /** All paths that have a namespace, in order of their making. */
  paths(): string[] {
    return [...this.namespaces.keys()];
  }

  /** Removes the namespace; the links in it vanish with their other ends. */
  removeNamespace(path: string): void {
    const namespace = this.namespaces.get(path);
    if (!namespace) return;
    for (const name of [...namespace.links.keys()]) namespace.removeLink(name);
    this.namespaces.delete(path);
  }

  /** A pair of ends: `name` in the namespace, a `veth…` on the node. */
  addVeth(
    namespace: NetworkNamespace,
    name: string,
    hostName: string,
    mtu: number,
  ): { inside: Link; outside: Link } {
    const inside = namespace.addLink({
      name,
      kind: "veth",
      mac: this.mac(),
      mtu,
    });
    const host = {
      name: hostName,
      kind: "veth",
      mac: this.mac(),
      mtu,
    } as const;
    const outside = this.root.addLink(host);
    inside.queueLength = 1000;
    inside.peer = outside;
    outside.peer = inside;
    return { inside, outside };
  }

  /** `veth` and eight hexadecimal digits, as the CNI plugins name them. */
  vethName(): string {
    const digits = this.random.int(2 ** 32).toString(16);
    return `veth${digits.padStart(8, "0")}`;
  }

  /** A locally administered, unicast MAC address. */
  mac(): string {
    const first = (this.random.int(64) << 2) | 2;
    const bytes = [BYTES[first]];
    for (let i = 0; i < 5; i++) bytes.push(BYTES[this.random.int(256)]);
    return bytes.join(":");
  }
}

/** `00` to `ff`. */
const BYTES = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);
