/**
 * The machines' own network: every node has an `eth0` on one segment, with a
 * router that leads to the world outside, where one host stands for all.
 * Leaves out: more than one segment; DHCP.
 */
import { NetworkNamespace } from "./namespace.ts";
import { Wires } from "./wires.ts";

const LAN = "lan";
const INTERNET = "internet";
const NODES = "172.18.0.0/16";
const ROUTER = "172.18.0.1";
const OUTSIDE_ROUTER = "203.0.113.1";
/** What a cloud gives to load balancers, and where it leads in the machines' segment. */
const BALANCED = "198.51.100.0/24";
export const BALANCER = "172.18.255.254";
/** The host outside: a client of the cluster, and a server for its Pods. */
export const OUTSIDE = "203.0.113.10";

export class MachineNetwork {
  readonly wires = new Wires();
  readonly router = new NetworkNamespace("router");
  readonly outside = new NetworkNamespace("outside");

  constructor() {
    const { router, outside } = this;
    this.plug(router, "eth0", `${ROUTER}/16`, LAN);
    this.plug(router, "eth1", `${OUTSIDE_ROUTER}/24`, INTERNET);
    router.sysctl.set("net.ipv4.ip_forward", "1");
    router.iptables.ensureRule(
      "nat",
      "POSTROUTING",
      `-s ${NODES} ! -d ${NODES} -j MASQUERADE`,
    );
    this.plug(outside, "eth0", `${OUTSIDE}/24`, INTERNET);
    this.defaultRoute(outside, OUTSIDE_ROUTER);
  }

  /** Gives a node its interface, address and default route. */
  addNode(root: NetworkNamespace, address: string): void {
    this.plug(root, "eth0", `${address}/16`, LAN);
    this.defaultRoute(root, ROUTER);
    root.sysctl.set("net.ipv4.ip_forward", "1");
  }

  /** A cloud's load balancer: who sends to its addresses is led to it. */
  addBalancer(): NetworkNamespace {
    const balancer = new NetworkNamespace("load-balancer");
    this.plug(balancer, "eth0", `${BALANCER}/16`, LAN);
    this.defaultRoute(balancer, ROUTER);
    const destination = BALANCED;
    this.router.addRoute({ destination, gateway: BALANCER, device: "eth0" });
    return balancer;
  }

  private plug(
    namespace: NetworkNamespace,
    name: string,
    prefix: string,
    wire: string,
  ): void {
    const mac = macOf(prefix.split("/")[0]!);
    const link = namespace.addLink({ name, kind: "ethernet", mac });
    namespace.addAddress(link, prefix);
    this.wires.plug(link, wire);
  }

  private defaultRoute(namespace: NetworkNamespace, gateway: string): void {
    namespace.addRoute({ destination: "0.0.0.0/0", gateway, device: "eth0" });
  }
}

/** Made of the address, so that it is drawn from no random stream. */
function macOf(ip: string): string {
  const bytes = ip.split(".").map((byte) => Number(byte).toString(16));
  return `02:42:${bytes.map((byte) => byte.padStart(2, "0")).join(":")}`;
}
