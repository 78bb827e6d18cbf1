/**
 * flanneld: the agent of flannel on every node. It tells the other nodes how
 * to reach this one, by annotations of its Node, and keeps a tunnel and a
 * route to each of them. It carries no packet itself: the kernel does.
 * Models:     flannel pkg/subnet/kube, pkg/backend/{vxlan,hostgw} @ v0.28
 * Leaves out: IPv6, wireguard, udp; the lease's renewal.
 * Try:        stop `flanneld/node-2`, and see which packets still arrive.
 */
import { Node } from "../../api/kinds/node.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { addFlannelMasquerade } from "../../network/flannel-masq.ts";
import { type Encapsulation, installCni, type Machine } from "../machine.ts";
import { type Backend, HostGateway, type Lease, Vxlan } from "./backend.ts";

export interface FlannelOptions {
  /** All Pods' addresses, `Network` of net-conf.json. */
  readonly network: string;
  readonly encapsulation: Encapsulation;
}

const ANNOTATION = "flannel.alpha.coreos.com/";
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
  const flanneld = new Flanneld(context, machine, options);
  flanneld.start();
  return flanneld;
}

class Flanneld implements Component {
  private readonly context: ComponentContext;
  private readonly machine: Machine;
  private readonly options: FlannelOptions;
  private readonly backend: Backend;
  private ready = false;

  constructor(
    context: ComponentContext,
    machine: Machine,
    options: FlannelOptions,
  ) {
    this.context = context;
    this.machine = machine;
    this.options = options;
    const tunnel = options.encapsulation !== "none";
    this.backend = tunnel ? new Vxlan(machine) : new HostGateway(machine);
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

  /** Takes the subnet: device, annotations, masquerade, then subnet.env. */
  private async acquire(node: Node, podCIDR: string): Promise<void> {
    const { machine, backend, options, context } = this;
    const { network } = options;
    const data = backend.setUp(podCIDR);
    await this.annotate(node, {
      [`${ANNOTATION}backend-data`]: data,
      [`${ANNOTATION}backend-type`]: backend.type,
      [`${ANNOTATION}kube-subnet-manager`]: "true",
      [`${ANNOTATION}public-ip`]: machine.address,
    });
    machine.network.root.sysctl.set("net.ipv4.ip_forward", "1");
    addFlannelMasquerade(machine.network.root, network, podCIDR);
    const text = subnetEnv(network, podCIDR, backend.mtu);
    machine.disk.write(SUBNET_FILE, text);
    context.kernel.record(
      ...([context.actor, "program", `writes ${SUBNET_FILE}`] as const),
      ...(["", { rules: text.trimEnd().split("\n") }] as const),
    );
  }

  private async annotate(
    { metadata }: Node,
    annotations: Record<string, string>,
  ): Promise<void> {
    const { client } = this.context;
    const type = "application/strategic-merge-patch+json";
    const body = { metadata: { annotations } };
    await client.patch(Node, "", metadata.name, type, body, {
      subresource: "status",
    });
  }
}

/** What another node's annotations say; undefined while they say nothing. */
function leaseOf({ metadata, spec }: Node): Lease | undefined {
  const annotations = metadata.annotations ?? {};
  const type = annotations[`${ANNOTATION}backend-type`];
  const address = annotations[`${ANNOTATION}public-ip`];
  const subnet = spec?.podCIDR;
  if (!type || !address || !subnet) return undefined;
  const data = JSON.parse(annotations[`${ANNOTATION}backend-data`] ?? "null");
  const mac = (data as { VtepMAC?: string } | null)?.VtepMAC ?? "";
  return { type, address, subnet, mac };
}

/** The file that the CNI plugin flannel reads. `mtu` in bytes. */
function subnetEnv(network: string, podCIDR: string, mtu: number): string {
  // The first address of the subnet, which the bridge will have.
  const gateway = podCIDR.replace(/\.0\//, ".1/");
  return [
    `FLANNEL_NETWORK=${network}`,
    `FLANNEL_SUBNET=${gateway}`,
    `FLANNEL_MTU=${mtu}`,
    "FLANNEL_IPMASQ=true",
    "",
  ].join("\n");
}
