/**
 * cilium-agent: fills the maps of the node's datapath: Services with their
 * backends, the other nodes' ranges, and what NetworkPolicies allow. It takes
 * the place of kube-proxy.
 * Models:     cilium daemon, pkg/{loadbalancer,policy,datapath}
 * Leaves out: CiliumNode, CiliumEndpoint and identities as objects; the
 *             operator: the range is the Node's podCIDR (ipam: kubernetes).
 */
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import { Namespace } from "../../api/kinds/namespace.ts";
import { NetworkPolicy } from "../../api/kinds/networkpolicy.ts";
import { Node } from "../../api/kinds/node.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { Service } from "../../api/kinds/service.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import type { Timer } from "../../kernel/index.ts";
import type { CiliumDatapath } from "../../network/cilium.ts";
import { replaceRoute } from "../../network/route.ts";
import { type Encapsulation, installCni, type Machine } from "../machine.ts";
import type { PolicyWorld } from "../policy.ts";
import { makeDatapath, NODE_SET, routerOf } from "./devices.ts";
import { CiliumHealth } from "./health.ts";
import { policyMap, servicesMaps } from "./maps.ts";

export interface CiliumOptions {
  /** All Pods' addresses. */
  readonly network: string;
  readonly encapsulation: Encapsulation;
}

const SOON_MS = 100;
const CONFLIST = {
  name: "cilium",
  cniVersion: "0.3.1",
  plugins: [{ type: "cilium-cni", "enable-debug": false }],
};

export function startCiliumAgent(
  context: ComponentContext,
  machine: Machine,
  options: CiliumOptions,
): Component {
  const { kernel, informers } = context;
  const nodes = informers.informer(Node);
  const pods = informers.informer(Pod);
  const namespaces = informers.informer(Namespace);
  const policies = informers.informer(NetworkPolicy);
  const services = informers.informer(Service);
  const slices = informers.informer(EndpointSlice);
  const health = new CiliumHealth(context, machine.network.root.listeners);
  let timer: Timer | undefined;
  let stopped = false;

  // region: sync
  const sync = () => {
    timer = undefined;
    const { root } = machine.network;
    const own = nodes.get(machine.name)?.spec?.podCIDR;
    if (!own) return;
    root.cilium ??= makeDatapath(context, machine, own, options);
    for (const node of nodes.list()) reach(machine, root.cilium, node);
    const [all, ends] = [services.list(), slices.list()];
    const maps = servicesMaps(all, ends, machine.name);
    root.cilium.balancer.inside = maps.inside;
    root.cilium.balancer.outside = maps.outside;
    health.sync(all, ends, machine.name);
    const world: PolicyWorld = {
      pods: pods.list(),
      policies: policies.list(),
      namespaces: new Map(
        namespaces.list().map((one) => [one.metadata.name, one]),
      ),
    };
    const others = nodes.list().filter(({ metadata }) => {
      return metadata.name !== machine.name;
    });
    root.cilium.policy = policyMap(world, addressesOf(others));
    installCni(machine, "05-cilium.conflist", CONFLIST);
  };
  // endregion: sync
  const soon = () => {
    if (!timer && !stopped) timer = kernel.after(SOON_MS, sync);
  };
  const handlers = { added: soon, updated: soon, deleted: soon };
  for (const one of [nodes, pods, namespaces, policies, services, slices]) {
    one.onChange(handlers);
  }
  return {
    /** The programs and their maps stay in the kernel. */
    stop() {
      stopped = true;
      timer?.cancel();
      health.stop();
    },
  };
}

/** The nodes' own, and those of their ends of the tunnel. */
function addressesOf(nodes: readonly Node[]): Set<string> {
  return new Set(
    nodes.flatMap(({ spec, status }) => [
      internalAddress(status) ?? "",
      routerOf(spec?.podCIDR ?? ""),
    ]),
  );
}

function internalAddress(status: Node["status"]): string | undefined {
  const { addresses = [] } = status ?? {};
  return addresses.find(({ type }) => type === "InternalIP")?.address;
}

/** The way to another node's Pods: by the tunnel, or by a route. */
function reach(
  { name, network }: Machine,
  datapath: CiliumDatapath,
  { metadata, spec, status }: Node,
): void {
  const { root } = network;
  const address = internalAddress(status);
  const cidr = spec?.podCIDR;
  if (!address || !cidr) return;
  const known = root.ipsets.get(NODE_SET) ?? [];
  root.ipsets.set(NODE_SET, new Set([...known, address]));
  if (metadata.name === name) return;
  const tunnel = root.links.has("cilium_vxlan");
  if (tunnel) datapath.tunnels.set(cidr, address);
  const destination = cidr;
  const gateway = tunnel ? datapath.router : address;
  const device = tunnel ? "cilium_host" : "eth0";
  replaceRoute(root, { destination, gateway, device });
}
