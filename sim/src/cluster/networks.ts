/**
 * The Pod networks that a scenario can choose, and the agents that each has
 * on every node. `bridge` has none: its nodes know nothing of one another.
 */
import type { Component, ComponentContext } from "../client/component.ts";
import type { NodeHost } from "../cri/node-host.ts";
import { startCalicoNode } from "../networks/calico/calico-node.ts";
import { startCiliumAgent } from "../networks/cilium/agent.ts";
import { startFlanneld } from "../networks/flannel/flanneld.ts";
import type { Encapsulation, Machine } from "../networks/machine.ts";
import type { Scenario } from "../scenario.ts";
import { accountIdentity } from "./identities.ts";
import type { NodeSetup } from "./node.ts";
import type { ProcessOptions } from "./process.ts";

type NetworkName = NonNullable<Scenario["network"]>;

interface AgentOptions {
  /** All Pods' addresses. */
  readonly network: string;
  readonly encapsulation: Encapsulation;
}

interface Agent {
  /** First part of the actor: `flanneld` of `flanneld/node-1`. */
  readonly name: string;
  /** ServiceAccount that it runs as: its Namespace, and its name. */
  readonly account: readonly [namespace: string, name: string];
  readonly encapsulation: Encapsulation;
  readonly start: (
    context: ComponentContext,
    machine: Machine,
    options: AgentOptions,
  ) => Component;
}

/** Agents by network; absent: none is needed. */
const AGENTS: Readonly<Partial<Record<NetworkName, Agent>>> = {
  flannel: {
    name: "flanneld",
    account: ["kube-flannel", "flannel"],
    encapsulation: "vxlan",
    start: startFlanneld,
  },
  calico: {
    name: "calico-node",
    account: ["kube-system", "calico-node"],
    encapsulation: "ipip",
    start: startCalicoNode,
  },
  cilium: {
    name: "cilium-agent",
    account: ["kube-system", "cilium"],
    encapsulation: "vxlan",
    start: startCiliumAgent,
  },
};

/** What the chosen network runs on a node: `flanneld/node-1`. */
export function networkAgent(
  setup: NodeSetup,
  host: NodeHost,
  scenario: Scenario,
): Omit<ProcessOptions, "kernel" | "connect"> | undefined {
  const agent = AGENTS[setup.network];
  if (!agent) return undefined;
  const { encapsulation = agent.encapsulation } = scenario;
  const options = { network: setup.podNetwork, encapsulation };
  const machine = machineOf(setup, host);
  return {
    actor: `${agent.name}/${setup.name}`,
    credentials: () => accountIdentity(...agent.account),
    host: setup.name,
    start: (contextFor) => agent.start(contextFor(), machine, options),
  };
}

function machineOf(
  { name, address }: NodeSetup,
  { disk, network, runtime }: NodeHost,
): Machine {
  const reloadCni = () => runtime.core.podNetwork.reload();
  return { name, address, disk, network, reloadCni };
}
