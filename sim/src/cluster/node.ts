/**
 * A worker node: a machine with a disk and a network, containerd on it, and a
 * kubelet. The network configuration lies on the disk from the start, as an
 * administrator (or a network provider's agent) would put it there.
 */
import type { Node } from "../api/kinds/node.ts";
import { bytes } from "../api/quantity.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { connect } from "../cri/connection.ts";
import type { RuntimeKind } from "../cri/kinds.ts";
import { LogFolder } from "../cri/log-files.ts";
import { makeNodeHost, type NodeHost } from "../cri/node-host.ts";
import type { ImageRegistry } from "../cri/workload/registry.ts";
import type { Kernel } from "../kernel/index.ts";
import { startKubelet } from "../kubelet/kubelet.ts";
import type { MachineNetwork } from "../network/machines.ts";
import type { NodeFile, NodeOption, Page, Scenario } from "../scenario.ts";
import { dial } from "./dial.ts";
import { readPodManifest } from "./manifest.ts";
import { splitLabels } from "./node-labels.ts";
import { nodeStats } from "./node-stats.ts";
import { fetchFrom } from "./pages.ts";
import type { Storage } from "./storage.ts";

export interface NodeSetup extends NodeOption {
  readonly name: string;
  readonly address: string;
  /** Range of its Pods' addresses. */
  readonly podCidr: string;
  /** Range of all Pods' addresses. */
  readonly podNetwork: string;
  readonly runtime: RuntimeKind;
  readonly network: NonNullable<Scenario["network"]>;
  readonly pages: readonly Page[];
  readonly ipvsScheduler?: string;
  /** Its kubelet asks for Pods' tokens. */
  readonly tokens: boolean;
}

/** The nodes of a scenario, with names and addresses filled in. */
export function nodesOf({
  nodes = 3,
  runtime = "containerd",
  network = "bridge",
  tokens = false,
  pages = [],
  ipvsScheduler,
}: Scenario): readonly NodeSetup[] {
  const options =
    typeof nodes === "number"
      ? Array.from({ length: nodes }, (): NodeOption => ({}))
      : nodes;
  return options.map((option, i) => ({
    ...option,
    name: option.name ?? `node-${i + 1}`,
    address: `172.18.${(i + 2) >> 8}.${(i + 2) & 255}`,
    podCidr: podCidrOf(i),
    // Up to 256 nodes, or more.
    podNetwork: options.length <= 256 ? "10.244.0.0/16" : "10.128.0.0/9",
    runtime: option.runtime ?? runtime,
    network,
    tokens,
    pages,
    ipvsScheduler,
  }));
}

/** 10.244.0.0/24, 10.244.1.0/24 …; beyond 256 nodes from 10.128.0.0/9. */
function podCidrOf(i: number): string {
  const second = i < 256 ? 244 : 127 + (i >> 8);
  return `10.${second}.${i & 255}.0/24`;
}

// region: conflist
/** The chain of plugins that containerd runs for each Pod. */
function conflist(podCidr: string): string {
  const ipam = {
    type: "host-local",
    ranges: [[{ subnet: podCidr }]],
    routes: [{ dst: "0.0.0.0/0" }],
  };
  const bridge = { bridge: "cni0", isGateway: true, ipMasq: true };
  return JSON.stringify({
    cniVersion: "1.0.0",
    name: "podnet",
    plugins: [
      { type: "bridge", ...bridge, hairpinMode: true, ipam },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  });
}
// endregion: conflist

export function makeHost(
  kernel: Kernel,
  setup: NodeSetup,
  registry: ImageRegistry,
  machines: MachineNetwork,
): NodeHost {
  const files: Record<string, string> = {};
  // Other networks' agents write their own.
  if (setup.network === "bridge") {
    const path = "/etc/cni/net.d/10-podnet.conflist";
    files[path] = conflist(setup.podCidr);
  }
  for (const { path, text, atMs } of setup.files ?? []) {
    if (atMs !== undefined) continue;
    if (text === undefined) delete files[path];
    else files[path] = text;
  }
  const { name: node, runtime, address } = setup;
  const memoryBytes = bytes(setup.memory ?? MEMORY);
  const host = makeNodeHost({
    ...{ kernel, node, registry, files, runtime, memoryBytes },
  });
  machines.addNode(host.network.root, address);
  for (const file of setup.files ?? []) changeLater(kernel, host, setup, file);
  return host;
}

/** An administrator, or a provider's agent, changes a file of the node. */
function changeLater(
  kernel: Kernel,
  host: NodeHost,
  { name }: NodeSetup,
  file: NodeFile,
): void {
  const { path, text, atMs } = file;
  if (atMs === undefined) return;
  kernel.after(atMs, () => {
    const does = text === undefined ? "removes" : "writes";
    const subject = `${does} ${path} on ${name}`;
    kernel.causeId = kernel.record("you", "input", subject, "", file);
    if (text === undefined) host.disk.remove(path);
    else host.disk.write(path, text);
    host.runtime.core.podNetwork.reload();
  });
}

const MEMORY = "8Gi";
/** /proc/sys/kernel/pid_max of a 64-bit machine. */
const PIDS_MAX = 4_194_304;

/** One way through the runtime's socket and back, in ms. */
const SOCKET_MS = 0.2;

export function startNode(
  context: ComponentContext,
  setup: NodeSetup,
  host: NodeHost,
  storage?: Storage,
): Component {
  const { kernel, actor } = context;
  const { runtime } = host;
  const { name, address, podCidr, labels, taints } = setup;
  const { cpu = "4", memory = MEMORY, pods = 110 } = setup;
  const { disk = "100Gi", inodes, imageDisk, pids = PIDS_MAX } = setup;
  return startKubelet(context, {
    node: {
      name,
      address,
      podCIDR: podCidr,
      labels: splitLabels(labels).own,
      taints: taints as NonNullable<Node["spec"]>["taints"],
      capacity: {
        cpu,
        memory,
        pods: String(pods),
        "ephemeral-storage": disk,
      },
    },
    runtime: connect({
      kernel,
      actor,
      target: `${setup.runtime}/${name}`,
      runtime,
      latencyMs: SOCKET_MS,
    }),
    onRuntimeEvent: (listener) => runtime.onEvent(listener),
    onSystemOom: (listener) => runtime.core.oomKiller?.onKill(listener),
    runtimeName: runtime.name,
    runtimeVersion: `${runtime.name}://${runtime.runtimeVersion}`,
    dial: (uid, port) => dial(runtime, uid, port),
    disk: host.disk,
    volumePlugins: storage?.onNode(context, name, host.disk),
    parseManifest: readPodManifest,
    stats: nodeStats(host, { memory, disk, inodes, imageDisk, pids }),
    configuration: setup.kubelet,
    requestsTokens: setup.tokens,
    fetch: (url) => fetchFrom(kernel, setup.pages, url),
    inhibitor: host.logind,
    logs: new LogFolder(runtime.core),
    clusterDns: ["10.96.0.10"],
    clusterDomain: "cluster.local",
  });
}
