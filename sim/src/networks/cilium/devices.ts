/**
 * The devices of a node with Cilium, with a program at each: cilium_host for
 * the node's own packets, cilium_vxlan for the tunnel, eth0 for node ports.
 * Models: cilium pkg/datapath/loader
 */
import type { ComponentContext } from "../../client/component.ts";
import { CiliumDatapath } from "../../network/cilium.ts";
import type { Link } from "../../network/link.ts";
import type { Encapsulation, Machine } from "../machine.ts";

/** Nodes' addresses: Pods show them their own. */
export const NODE_SET = "cilium_node_set_v4";
const VNI = 2;
const PORT = 8472;

export function makeDatapath(
  { kernel, random }: ComponentContext,
  machine: Machine,
  podCIDR: string,
  options: { network: string; encapsulation: Encapsulation },
): CiliumDatapath {
  const { address: nodeIp, network } = machine;
  const { root } = network;
  const router = routerOf(podCIDR);
  const tunnel = options.encapsulation !== "none";
  const overlay = tunnel ? makeOverlay(machine) : undefined;
  const datapath = new CiliumDatapath({
    ...{ podCIDR, router, nodeIp, overlay },
    random: (bound) => random.int(bound),
    now: () => kernel.now(),
  });
  const mac = network.mac();
  const host = root.addLink({ name: "cilium_host", kind: "dummy", mac });
  root.addAddress(host, `${router}/32`, false);
  host.egress = datapath.fromOverlay;
  root.neighbours.set(router, mac);
  const route = { gateway: router, device: "cilium_host" };
  root.addRoute({ destination: podCIDR, ...route });
  if (overlay) overlay.ingress = datapath.fromOverlay;
  const eth0 = root.links.get("eth0");
  if (eth0) {
    // Without a tunnel, Pods' packets come in by eth0 too.
    eth0.ingress = (packet) => {
      const verdict = datapath.fromNetdev(packet);
      const other = verdict.kind === "pass" && packet.dst !== nodeIp;
      return other ? datapath.fromOverlay(packet) : verdict;
    };
  }
  root.connect = datapath.connectFrom(root.path);
  masquerade(machine, podCIDR, options.network);
  return datapath;
}

/** The address of cilium_host: the first of the node's range. */
export function routerOf(podCIDR: string): string {
  return podCIDR.replace(/\.0\/\d+$/, ".1");
}

function makeOverlay({ network, address: local }: Machine): Link {
  const name = "cilium_vxlan";
  const mac = network.mac();
  const link = network.root.addLink({ name, kind: "vxlan", mac });
  const device = "eth0";
  link.vxlan = { id: VNI, local, device, port: PORT, learning: false };
  return link;
}

/** What leaves for the world outside takes the node's address. */
function masquerade(machine: Machine, own: string, all: string): void {
  const { iptables } = machine.network.root;
  const jump = '-m comment --comment "cilium-feeder: CILIUM_POST_nat"';
  iptables.ensureRule("nat", "POSTROUTING", `${jump} -j CILIUM_POST_nat`);
  iptables.setChain("nat", "CILIUM_POST_nat", [
    `-s ${own} -m set --match-set ${NODE_SET} dst -m comment --comment "exclude traffic to cluster nodes from masquerade" -j ACCEPT`,
    `-s ${own} ! -d ${all} -m comment --comment "cilium masquerade non-cluster" -j MASQUERADE`,
  ]);
}
