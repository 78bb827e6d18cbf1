/**
 * The Node object as the kubelet registers it and keeps its status.
 * Models:     pkg/kubelet/kubelet_node_status.go, pkg/kubelet/nodestatus/
 *             setters.go @ v1.36
 * Leaves out: swap, zones from a cloud.
 */
import type {
  ContainerImage,
  Node,
  NodeCondition,
  NodeStatus,
} from "../../api/kinds/node.ts";
import { bytes } from "../../api/quantity.ts";
import type { Condition } from "../eviction/thresholds.ts";
import { type KubeletOptions, keptBack } from "../options.ts";

const VERSION = "v1.36.2";

/** Labels that every node has. */
function labelsOf({ node }: KubeletOptions): Record<string, string> {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": node.name,
    "kubernetes.io/os": "linux",
    ...node.labels,
  };
}

export function newNode(options: KubeletOptions, status: NodeStatus): Node {
  const { name, podCIDR, providerID, taints } = options.node;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: labelsOf(options),
      annotations: {
        "volumes.kubernetes.io/controller-managed-attach-detach": "true",
      },
    },
    spec: {
      ...(podCIDR ? { podCIDR, podCIDRs: [podCIDR] } : {}),
      ...(providerID ? { providerID } : {}),
      ...(taints?.length ? { taints } : {}),
    },
    status,
  };
}

export function capacityOf({ node }: KubeletOptions): Record<string, string> {
  return {
    cpu: "4",
    "ephemeral-storage": "100Gi",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: "8Gi",
    pods: "110",
    ...node.capacity,
  };
}

/** What Pods may request: the capacity less what is kept back. */
export function allocatableOf(options: KubeletOptions): Record<string, string> {
  const capacity = capacityOf(options);
  const all = bytes(capacity.memory);
  const memory = all - keptBack(options, "memory.available", all);
  const disk = bytes(capacity["ephemeral-storage"]);
  const storage = disk - keptBack(options, "nodefs.available", disk);
  return {
    ...capacity,
    "ephemeral-storage": `${storage}`,
    memory: memory % 1024 === 0 ? `${memory / 1024}Ki` : `${memory}`,
  };
}

/** What changes from one status to the next. */
export interface NodeFacts {
  readonly now: string;
  /** Why the node is not ready; "" if it is. */
  readonly problem: string;
  /** What the node is short of. */
  readonly pressure: ReadonlySet<Condition>;
  readonly images: readonly ContainerImage[];
}

export function nodeStatus(
  options: KubeletOptions,
  facts: NodeFacts,
  before: readonly NodeCondition[],
): NodeStatus {
  const { node, runtimeVersion } = options;
  const id = node.name;
  return {
    capacity: capacityOf(options),
    allocatable: allocatableOf(options),
    conditions: nodeConditions(facts, before),
    addresses: [
      { type: "InternalIP", address: node.address },
      { type: "Hostname", address: node.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: "amd64",
      bootID: `boot-${id}`,
      containerRuntimeVersion: runtimeVersion,
      kernelVersion: "6.12.0",
      kubeProxyVersion: "",
      kubeletVersion: VERSION,
      machineID: `machine-${id}`,
      operatingSystem: "linux",
      osImage: "Linux",
      systemUUID: `system-${id}`,
    },
    images: facts.images,
    ...volumesInUse(options),
  };
}

/** The attach-detach controller takes nothing off that is named here. */
function volumesInUse({ volumePlugins = [] }: KubeletOptions): NodeStatus {
  const names = volumePlugins.flatMap((one) => one.inUse?.() ?? []);
  return names.length > 0 ? { volumesInUse: names.sort() } : {};
}

/** [type, reason if all is well, message, reason if not, message] */
const PRESSURES = [
  [
    "MemoryPressure",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
    "KubeletHasInsufficientMemory",
    "kubelet has insufficient memory available",
  ],
  [
    "DiskPressure",
    "KubeletHasNoDiskPressure",
    "kubelet has no disk pressure",
    "KubeletHasDiskPressure",
    "kubelet has disk pressure",
  ],
  [
    "PIDPressure",
    "KubeletHasSufficientPID",
    "kubelet has sufficient PID available",
    "KubeletHasInsufficientPID",
    "kubelet has insufficient PID available",
  ],
] as const;

function nodeConditions(
  facts: NodeFacts,
  before: readonly NodeCondition[],
): NodeCondition[] {
  const { now, problem } = facts;
  const conditions = PRESSURES.map(([type, well, fine, ill, bad]) => {
    const pressed = facts.pressure.has(type);
    return {
      type,
      status: pressed ? "True" : "False",
      reason: pressed ? ill : well,
      message: pressed ? bad : fine,
    };
  });
  const ready = {
    type: "Ready",
    status: problem ? "False" : "True",
    reason: problem ? "KubeletNotReady" : "KubeletReady",
    message: problem || "kubelet is posting ready status",
  };
  return [...conditions, ready].map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const same = old?.status === condition.status;
    const lastTransitionTime = (same && old.lastTransitionTime) || now;
    return { ...condition, lastHeartbeatTime: now, lastTransitionTime };
  });
}
