/**
 * flanneld: the agent of flannel on every node. It tells the other nodes how
 * to reach this one, by annotations of its Node, and keeps a tunnel and a
 * route to each of them. It carries no packet itself: the kernel does.
 * Models:     flannel main.go, pkg/subnet/kube @ v0.28
 * Leaves out: IPv6; the lease's renewal; putting back routes that are lost.
 * Try:        stop `flanneld/node-2`, and see which packets still arrive.
 */
import { Node } from "../../api/kinds/node.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { addFlannelRules } from "../../network/flannel-masq.ts";
import { formatIp, parseCidr } from "../../network/ip.ts";
import { type Encapsulation, installCni, type Machine } from "../machine.ts";
import { tellNetworkIsUp } from "../network-up.ts";
import { type Backend, HostGateway, type Lease, Vxlan } from "./backend.ts";
import { Ipip } from "./ipip.ts";
import { layNetConf, type NetConf, readNetConf } from "./net-conf.ts";

/** What net-conf.json says unless the node has one. */
export interface FlannelOptions {
  /** All Pods' addresses. */
  readonly network: string;
  readonly encapsulation: Encapsulation;
}

const ANNOTATION = "flannel.alpha.coreos.com/";
/** For nodes that the others reach by another address. */
const PUBLIC_IP_OVERWRITE = `${ANNOTATION}public-ip-overwrite`;
const SUBNET_FILE = "/run/flannel/subnet.env";

// region: conflist
/** What the DaemonSet's init container install-cni copies from kube-flannel-cfg. */
const CONFLIST = {
  name: "cbr0",
  cniVersion: "0.3.1",
  plugins: [
    {
      type: "flannel",
      delegate: { hairpinMode: true, isDefaultGateway: true },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
};
// endregion: conflist

export function startFlanneld(
  context: ComponentContext,
  machine: Machine,
  options: FlannelOptions,
): Component {
  installCni(machine, "10-flannel.conflist", CONFLIST);
  layNetConf(machine, options.network, options.encapsulation);
  let conf: NetConf;
  try {
    conf = readNetConf(machine);
  } catch (error) {
    const { message } = error as Error;
    context.kernel.record(context.actor, "error", "flanneld", "", { message });
    return { stop() {} };
  }
  const flanneld = new Flanneld(context, machine, conf);
  flanneld.start();
  return flanneld;
}

class Flanneld implements Component {
  private readonly context: ComponentContext;
  private readonly machine: Machine;
  private readonly conf: NetConf;
  private readonly backend: Backend;
  private ready = false;

  constructor(context: ComponentContext, machine: Machine, conf: NetConf) {
    this.context = context;
    this.machine = machine;
    this.conf = conf;
    this.backend = makeBackend(machine, conf);
  }

  start(): void {
    const nodes = this.context.informers.informer(Node);
    const seen = (node: Node) => this.seen(node);
    nodes.onChange({
      added: seen,
      updated: seen,
      deleted: (node) => {
        const lease = leaseOf(node);
        if (lease) this.backend.remove(lease);
      },
    });
  }

  /** Devices, routes and subnet.env stay: Pods go on speaking. */
  stop(): void {
    this.ready = false;
  }

  // region: seen
  private seen(node: Node): void {
    const { podCIDR } = node.spec ?? {};
    if (node.metadata.name === this.machine.name) {
      // The subnet is the node's podCIDR; flanneld waits for it.
      if (!podCIDR || this.ready) return;
      this.ready = true;
      const { kernel, actor } = this.context;
      kernel.spawn(actor, () => this.acquire(node, podCIDR));
      return;
    }
    const lease = leaseOf(node);
    if (lease) this.backend.add(lease);
  }
  // endregion: seen

  /** Takes the subnet: device, annotations, rules, then subnet.env. */
  private async acquire(node: Node, podCIDR: string): Promise<void> {
    const { machine, backend, conf, context } = this;
    const { Network: network } = conf;
    const data = backend.setUp(podCIDR);
    await this.annotate(node, {
      [`${ANNOTATION}backend-data`]: data,
      [`${ANNOTATION}backend-type`]: backend.type,
      [`${ANNOTATION}kube-subnet-manager`]: "true",
      [`${ANNOTATION}public-ip`]:
        node.metadata.annotations?.[PUBLIC_IP_OVERWRITE] || machine.address,
    });
    machine.network.root.sysctl.set("net.ipv4.ip_forward", "1");
    addFlannelRules(machine.network.root, network, podCIDR);
    const text = subnetEnv(network, podCIDR, backend.mtu);
    machine.disk.write(SUBNET_FILE, text);
    context.kernel.record(
      ...([context.actor, "program", `writes ${SUBNET_FILE}`] as const),
      ...(["", { rules: text.trimEnd().split("\n") }] as const),
    );
    await tellNetworkIsUp(context, machine.name, "Flannel");
  }

  private async annotate(
    { metadata }: Node,
    annotations: Record<string, string>,
  ): Promise<void> {
    const known = metadata.annotations ?? {};
    const fresh = Object.entries(annotations);
    if (fresh.every(([name, value]) => known[name] === value)) return;
    const { client } = this.context;
    const type = "application/strategic-merge-patch+json";
    const body = { metadata: { annotations } };
    await client.patch(Node, "", metadata.name, type, body, {
      subresource: "status",
    });
  }
}

function makeBackend(machine: Machine, { Backend: conf }: NetConf): Backend {
  switch (conf.Type) {
    case "vxlan":
      return new Vxlan(machine, conf);
    case "ipip":
      return new Ipip(machine, conf);
    default:
      return new HostGateway(machine);
  }
}

/** What another node's annotations say; undefined while they say nothing. */
function leaseOf({ metadata, spec }: Node): Lease | undefined {
  const annotations = metadata.annotations ?? {};
  const type = annotations[`${ANNOTATION}backend-type`];
  const address = annotations[`${ANNOTATION}public-ip`];
  const subnet = spec?.podCIDR;
  const isOurs = annotations[`${ANNOTATION}kube-subnet-manager`] === "true";
  if (!isOurs || !type || !address || !subnet) return undefined;
  const data = JSON.parse(annotations[`${ANNOTATION}backend-data`] ?? "null");
  const mac = (data as { VtepMAC?: string } | null)?.VtepMAC ?? "";
  return { type, address, subnet, mac };
}

/** The file that the CNI plugin flannel reads. `mtu` in bytes. */
function subnetEnv(network: string, podCIDR: string, mtu: number): string {
  // The first address of the subnet, which the bridge will have.
  const { family, base, length } = parseCidr(podCIDR)!;
  const gateway = formatIp({ family, value: base + 1n });
  return [
    `FLANNEL_NETWORK=${network}`,
    `FLANNEL_SUBNET=${gateway}/${length}`,
    `FLANNEL_MTU=${mtu}`,
    "FLANNEL_IPMASQ=true",
    "",
  ].join("\n");
}
