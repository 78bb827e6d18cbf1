/**
 * What the kubelet reads of its machine: how much the containers use, and how
 * much there is. (The real one asks cAdvisor, which reads cgroups and disks.)
 * Models:     pkg/kubelet/server/stats, kubelet/pkg/apis/stats/v1alpha1 @ v1.36
 */
import type { Signal } from "./thresholds.ts";

/** In bytes, in files (inodes), or in processes. */
export interface Usage {
  readonly used: number;
  readonly capacity: number;
}

export interface NodeUsage {
  readonly memory: Usage;
  readonly nodeFs: Usage;
  /** Images and containers' layers: the disk of nodeFs unless it has its own. */
  readonly imageFs: Usage;
  /** Files on the same disks: each takes an inode, however small it is. */
  readonly nodeInodes: Usage;
  readonly imageInodes: Usage;
  readonly processes: Usage;
  /** Bytes on disk that containers have written. */
  readonly writtenBytes: number;
}

export interface ContainerUsage {
  readonly name: string;
  readonly memoryBytes: number;
  /** Its own writable layer. */
  readonly rootfsBytes: number;
  readonly logsBytes: number;
  /** Files in its layer, and of its log. */
  readonly rootfsInodes: number;
  readonly logsInodes: number;
}

export interface PodUsage {
  /** Those that run. */
  readonly containers: readonly ContainerUsage[];
  readonly memoryBytes: number;
  readonly processes: number;
  /** Bytes in the Pod's volumes on the node's disk, by name. */
  readonly volumes: ReadonlyMap<string, number>;
  /** Files in the same. */
  readonly volumeInodes: ReadonlyMap<string, number>;
}

export interface NodeStats {
  /** Images have a disk of their own. */
  readonly dedicatedImageFs: boolean;
  node(): NodeUsage;
  /** Undefined: nothing is known of the Pod. */
  pod(uid: string): PodUsage | undefined;
}

export type Observations = Readonly<
  Record<Signal, { readonly available: number; readonly capacity: number }>
>;

export function observe(node: NodeUsage) {
  const { memory, nodeFs, imageFs, processes } = node;
  return {
    "memory.available": left(memory),
    "nodefs.available": left(nodeFs),
    "nodefs.inodesFree": left(node.nodeInodes),
    "imagefs.available": left(imageFs),
    "imagefs.inodesFree": left(node.imageInodes),
    "pid.available": left(processes),
  } satisfies Observations;
}

function left({ used, capacity }: Usage) {
  return { available: Math.max(0, capacity - used), capacity };
}
