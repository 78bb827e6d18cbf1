/**
 * A cloud's load balancer for Services: it takes what clients send to a
 * Service's address and hands each connection to one of the nodes that the
 * cloud was told of, as long as the node answers the health check. It knows
 * no Pods: what happens on the node is kube-proxy's work.
 * Models:     Google Cloud's passthrough balancer (VIP) and its health check
 *             (gce_loadbalancer: every 8 s, 1 success, 3 failures); a proxy,
 *             as DigitalOcean's, that speaks to node ports (Proxy)
 * Leaves out: packets of its health checks; draining; several balancers.
 * Try:        stop kube-proxy on a node, and see for how long it is still sent
 *             connections that nobody on it would notice.
 */
import { fnv1aText } from "../api/hash.ts";
import type { LoadBalancer, SimulatedCloud } from "../cloud/provider.ts";
import type { NodeHost } from "../cri/node-host.ts";
import type { Kernel } from "../kernel/index.ts";
import {
  Conntrack,
  translateDestination,
  translateSource,
} from "../network/conntrack.ts";
import { inCidr } from "../network/ip.ts";
import type { Link, LinkVerdict } from "../network/link.ts";
import { BALANCER, type MachineNetwork } from "../network/machines.ts";
import type { Packet } from "../network/packet.ts";
import { lookup } from "../network/route.ts";

/** Its name in the trace and for faults. */
export const CLOUD_BALANCER = "cloud-load-balancer";

const INTERVAL_MS = 8_000;
/** Failures in a row after which a node is out; one success brings it back. */
const FALL = 3;
const PORT_MIN = 32_768;
const PORTS = 28_232;

export interface CloudBalancerOptions {
  readonly kernel: Kernel;
  readonly cloud: SimulatedCloud;
  readonly machines: MachineNetwork;
  readonly hosts: readonly NodeHost[];
}

interface Health {
  up: boolean;
  failures: number;
}

export class CloudBalancer {
  private readonly options: CloudBalancerOptions;
  private readonly ct = new Conntrack();
  private readonly random: (bound: number) => number;
  /** By the Service's key, then by the node's name. */
  private readonly health = new Map<string, Map<string, Health>>();

  constructor(options: CloudBalancerOptions) {
    this.options = options;
    const random = options.kernel.random.fork(CLOUD_BALANCER);
    this.random = (bound) => random.int(bound);
  }

  plugIn(): void {
    const { cloud, machines } = this.options;
    const { links } = machines.addBalancer();
    links.get("eth0")!.ingress = (packet, link) => this.handle(packet, link);
    cloud.onLoadBalancer = (key) => this.begin(key);
  }

  private begin(key: string): void {
    if (this.health.has(key)) return;
    this.health.set(key, new Map());
    this.ask(key);
  }

  // region: ask
  /** Asks each node, and again after a while, until the balancer is gone. */
  private ask(key: string): void {
    const { kernel, cloud } = this.options;
    const balancer = cloud.loadBalancers.get(key);
    const known = this.health.get(key)!;
    this.health.delete(key);
    if (!balancer) return;
    const now = new Map<string, Health>();
    for (const node of balancer.nodes) {
      const before = known.get(node) ?? { up: false, failures: 0 };
      const ok = this.isWell(node, balancer.healthCheck);
      const failures = ok ? 0 : before.failures + 1;
      const up = ok || (before.up && failures < FALL);
      now.set(node, { up, failures });
      if (up !== before.up) this.tell(key, node, up);
    }
    this.health.set(key, now);
    const { causeId } = kernel;
    kernel.causeId = 0;
    kernel.after(INTERVAL_MS, () => this.ask(key));
    kernel.causeId = causeId;
  }
  // endregion: ask

  private isWell(
    node: string,
    { port, path }: LoadBalancer["healthCheck"],
  ): boolean {
    const { kernel, hosts } = this.options;
    const host = hosts.find(({ name }) => name === node);
    const listener = host?.network.root.listeners.get(port);
    if (!listener || kernel.faults.blocked(CLOUD_BALANCER, listener.actor)) {
      return false;
    }
    return listener.get(path).status === 200;
  }

  private tell(key: string, node: string, up: boolean): void {
    const { kernel } = this.options;
    const what = up ? "is well: it gets connections" : "is not well: taken out";
    kernel.record(CLOUD_BALANCER, "probe", `${key}: ${node} ${what}`);
  }

  // region: handle
  /** What to do with a packet that came in by the link. */
  private handle(packet: Packet, link: Link): LinkVerdict {
    const { kernel, cloud } = this.options;
    if (kernel.faults.stopped(CLOUD_BALANCER)) return drop("it is down");
    if (packet.dst === BALANCER) return this.handBack(packet, link);
    const found = [...cloud.loadBalancers].find(
      ([, { address }]) => address === packet.dst,
    );
    if (!found) return drop("no load balancer has the address");
    const [key, balancer] = found;
    const { ports, ipMode, sourceRanges } = balancer;
    const port = ports.find(
      ({ port, protocol = "TCP" }) =>
        port === packet.dstPort && protocol.toLowerCase() === packet.protocol,
    );
    if (!port) return drop("it serves no such port");
    const well = balancer.nodes.filter((node) => this.isUp(key, node));
    if (well.length === 0) return drop("no node is well");
    const node = well[this.turnOf(packet, balancer) % well.length]!;
    const ip = addressOf(cloud, node);
    if (ipMode === "VIP") return { kind: "redirect", to: link, via: ip };
    // The node will see the balancer's address, so it cannot choose clients.
    const open = sourceRanges.length === 0;
    if (!open && !sourceRanges.some((range) => inCidr(packet.src, range))) {
      return drop("the client is in none of the source ranges");
    }
    if (!port.nodePort) return drop("the Service has no node port");
    return this.speakFor(packet, link, ip, port.nodePort);
  }
  // endregion: handle

  private isUp(key: string, node: string): boolean {
    return this.health.get(key)?.get(node)?.up ?? false;
  }

  /** The same for all packets of a connection, or of a client. */
  private turnOf(packet: Packet, { clientAffinity }: LoadBalancer): number {
    const { protocol, src, srcPort, dst, dstPort } = packet;
    const connection = `${protocol} ${src}:${srcPort} ${dst}:${dstPort}`;
    return fnv1aText(clientAffinity ? src : connection);
  }

  /** A connection of its own, on behalf of the client. */
  private speakFor(
    packet: Packet,
    link: Link,
    ip: string,
    port: number,
  ): LinkVerdict {
    this.ct.track(packet);
    if (!packet.tracked?.with.dnat) {
      this.ct.setDestination(packet, ip, port);
      this.ct.setSource(packet, BALANCER, PORT_MIN + this.random(PORTS));
    }
    return this.translated(packet, link);
  }

  /** A node's answer goes to the client, as from the Service's address. */
  private handBack(packet: Packet, link: Link): LinkVerdict {
    this.ct.track(packet);
    if (!packet.tracked?.reply) return drop("it did not ask");
    return this.translated(packet, link);
  }

  private translated(packet: Packet, to: Link): LinkVerdict {
    translateDestination(packet);
    translateSource(packet);
    packet.tracked = undefined;
    const { dst } = packet;
    const via = lookup(to.namespace.routes, dst)?.gateway ?? dst;
    return { kind: "redirect", to, via };
  }
}

function drop(reason: string): LinkVerdict {
  return { kind: "drop", reason };
}

function addressOf({ instances }: SimulatedCloud, node: string): string {
  const addresses = instances.get(node)?.addresses ?? [];
  return addresses.find(({ type }) => type === "InternalIP")?.address ?? "";
}
