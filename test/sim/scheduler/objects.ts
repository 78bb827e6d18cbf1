/** Nodes and Pods for tests. */
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";

export interface NodeOptions {
  cpu?: string;
  memory?: string;
  pods?: string;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: string }[];
  unschedulable?: boolean;
}

export function nodeOf(name: string, options: NodeOptions = {}): Node {
  const { cpu = "4", memory = "8Gi", pods = "110", labels, taints, unschedulable } = options;
  const allocatable = { cpu, memory, pods };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
    spec: { taints, unschedulable },
    status: { capacity: allocatable, allocatable },
  };
}

export interface PodOptions {
  labels?: Record<string, string>;
  cpu?: string;
  memory?: string;
  spec?: Partial<Pod["spec"]>;
}

export function podOf(name: string, { labels, cpu, memory, spec }: PodOptions = {}): Pod {
  const requests = { ...(cpu ? { cpu } : {}), ...(memory ? { memory } : {}) };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels },
    spec: { containers: [{ name: "c", image: "nginx:1.27", resources: { requests } }], ...spec },
  };
}
