/**
 * calico-node: the agent of Calico on every node. It claims blocks of
 * addresses, makes routes to the other nodes' blocks (IPIP, VXLAN, or plain),
 * and has Felix write the rules of NetworkPolicies.
 * Models:     projectcalico/calico node, confd, bird, felix @ v3.31
 * Leaves out: BGP's own messages: who has which block is read from the
 *             objects that confd reads; CrossSubnet, wireguard, eBPF.
 */
import { Node } from "../../api/kinds/node.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import { type Encapsulation, installCni, type Machine } from "../machine.ts";
import { tellNetworkIsUp } from "../network-up.ts";
import {
  claimBlock,
  freeAddresses,
  IPAMBlock,
  layBlock,
  takeAddress,
  waitForKind,
} from "./blocks.ts";
import { Felix } from "./felix.ts";
import { makeTunnel, routeTo, type Tunnel } from "./routes.ts";

export interface CalicoOptions {
  /** The pool. */
  readonly network: string;
  readonly encapsulation: Encapsulation;
}

const OVERHEAD = { ipip: 20, vxlan: 50, none: 0 } as const;
/** The agent claims another block when fewer addresses are left. */
const FREE_MIN = 16;
const LOOK_MS = 1000;
const ANNOTATION = "projectcalico.org/";

export function startCalicoNode(
  context: ComponentContext,
  machine: Machine,
  options: CalicoOptions,
): Component {
  const agent = new CalicoNode(context, machine, options);
  context.kernel.spawn(context.actor, () => agent.begin());
  return agent;
}

class CalicoNode implements Component {
  private readonly context: ComponentContext;
  private readonly machine: Machine;
  private readonly options: CalicoOptions;
  private readonly felix: Felix;
  private tunnel: Tunnel | undefined;
  private blocks: Informer<IPAMBlock> | undefined;
  private readonly nodes: Informer<Node>;
  private stopped = false;

  constructor(
    context: ComponentContext,
    machine: Machine,
    options: CalicoOptions,
  ) {
    this.context = context;
    this.machine = machine;
    this.options = options;
    this.nodes = context.informers.informer(Node);
    this.felix = new Felix(context, machine, options.network);
  }

  stop(): void {
    this.stopped = true;
    this.felix.stop();
  }

  // region: begin
  async begin(): Promise<void> {
    const { context, machine, options } = this;
    const { disk, network, name } = machine;
    await waitForKind(context);
    const { items } = await context.client.list(IPAMBlock);
    const own = items.filter(({ spec }) => spec.affinity === `host:${name}`);
    for (const { spec } of own) layBlock(disk, spec.cidr);
    await this.claimAhead();
    const { encapsulation } = options;
    const address =
      encapsulation === "none" ? "" : takeAddress(disk, `tunnel-${name}`);
    this.tunnel = makeTunnel(machine, encapsulation, address);
    await this.nodes.whenSynced();
    if (encapsulation === "vxlan") await this.annotate(address);
    this.watch();
    this.felix.start();
    const mtu = (network.root.links.get("eth0")?.mtu ?? 1500) - this.overhead;
    installCni(machine, "10-calico.conflist", conflist(mtu));
    await tellNetworkIsUp(context, name, "Calico");
    while (!this.stopped) {
      await context.kernel.sleep(LOOK_MS);
      if (!this.stopped) await this.claimAhead();
    }
  }
  // endregion: begin

  private get overhead(): number {
    return OVERHEAD[this.options.encapsulation];
  }

  private async claimAhead(): Promise<void> {
    const { context, machine, options } = this;
    while (freeAddresses(machine.disk) < FREE_MIN) {
      const { network } = options;
      const cidr = await claimBlock(machine.name, network, context);
      layBlock(machine.disk, cidr);
      const { root } = machine.network;
      // What nobody on this node has must not leave it again.
      const own = { blackhole: true, protocol: "bird" } as const;
      root.addRoute({ destination: cidr, ...own });
    }
  }

  private watch(): void {
    const { informers } = this.context;
    this.blocks = informers.informer(IPAMBlock);
    const block = (one: IPAMBlock) => this.learn(one);
    this.blocks.onChange({ added: block, updated: block });
    const node = () => {
      for (const one of this.blocks?.list() ?? []) this.learn(one);
    };
    this.nodes.onChange({ added: node, updated: node });
  }

  /** A route to another node's block, as bird would learn it from there. */
  private learn({ spec }: IPAMBlock): void {
    const owner = spec.affinity.slice("host:".length);
    const node = this.nodes.get(owner);
    if (owner === this.machine.name || !node || !this.tunnel) return;
    const { addresses = [] } = node.status ?? {};
    const found = addresses.find(({ type }) => type === "InternalIP");
    const { annotations = {} } = node.metadata;
    routeTo(this.machine, this.tunnel, {
      cidr: spec.cidr,
      address: found?.address ?? "",
      tunnelAddress: annotations[`${ANNOTATION}IPv4VXLANTunnelAddr`] ?? "",
      tunnelMac: annotations[`${ANNOTATION}VXLANTunnelMACAddr`] ?? "",
    });
  }

  private async annotate(address: string): Promise<void> {
    const annotations = {
      [`${ANNOTATION}IPv4VXLANTunnelAddr`]: address,
      [`${ANNOTATION}VXLANTunnelMACAddr`]: this.tunnel?.link?.mac,
    };
    const { client, kernel } = this.context;
    const { name } = this.machine;
    const type = "application/merge-patch+json";
    // The kubelet registers the Node; until then there is nothing to mark.
    while (!this.nodes.get(name)) await kernel.sleep(100);
    const more = { subresource: "status" };
    const body = { metadata: { annotations } };
    await client.patch(Node, "", name, type, body, more);
  }
}

// region: conflist
function conflist(mtu: number) {
  return {
    name: "k8s-pod-network",
    cniVersion: "0.3.1",
    plugins: [
      {
        ...{ type: "calico", datastore_type: "kubernetes", mtu },
        ipam: { type: "calico-ipam" },
        policy: { type: "k8s" },
      },
      { type: "portmap", snat: true, capabilities: { portMappings: true } },
    ],
  };
}
// endregion: conflist
