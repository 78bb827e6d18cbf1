/**
 * What a kubelet reads of its machine: cgroups, disks and processes, out of
 * the runtime's containers and what their programs do.
 * Models:     what cAdvisor tells the kubelet @ v1.36
 * Leaves out: what the system itself takes; intervals, since every reading is
 *             of this moment.
 */
import { bytes } from "../api/quantity.ts";
import { volumeOf } from "../cri/disk-usage.ts";
import { logBytes } from "../cri/log-files.ts";
import type { NodeHost } from "../cri/node-host.ts";
import type { ContainerRecord } from "../cri/records.ts";
import type {
  ContainerUsage,
  NodeStats,
  NodeUsage,
  PodUsage,
} from "../kubelet/eviction/stats.ts";

/** Quantities. */
export interface MachineSize {
  readonly memory: string;
  readonly disk: string;
  /** Of images and layers, if they have a disk of their own. */
  readonly imageDisk?: string;
  readonly pids: number;
}

/** Memory is given out in pages, and disks in blocks of the same size. */
const PAGE_BYTES = 4096;

export function nodeStats(host: NodeHost, size: MachineSize): NodeStats {
  const dedicatedImageFs = size.imageDisk !== undefined;
  return {
    dedicatedImageFs,
    node: () => nodeUsage(host, size),
    pod: (uid) => podUsage(host, uid),
  };
}

function nodeUsage({ runtime }: NodeHost, size: MachineSize): NodeUsage {
  const { core } = runtime;
  let memory = 0;
  let layers = 0;
  let local = 0;
  let processes = core.sandboxes.size;
  for (const container of core.containers.values()) {
    const { process, state } = container;
    if (!process) continue;
    if (state === "CONTAINER_RUNNING") {
      memory += process.memoryBytes();
      processes += process.processes();
    }
    local += logBytes(container);
    for (const [path, size] of process.writes()) {
      if (volumeOf(container, path) === undefined) layers += size;
      else local += size;
    }
  }
  const images = core.images.usedBytes();
  const { imageDisk, disk } = size;
  const onImageDisk = wholePages(layers + images);
  const onNodeDisk = wholePages(imageDisk ? local : local + layers + images);
  const nodeFs = { used: onNodeDisk, capacity: bytes(disk) };
  const imageFs = imageDisk
    ? { used: onImageDisk, capacity: bytes(imageDisk) }
    : nodeFs;
  return {
    memory: { used: wholePages(memory), capacity: bytes(size.memory) },
    ...{ nodeFs, imageFs, writtenBytes: layers + local },
    processes: { used: processes, capacity: size.pids },
  };
}

function wholePages(amount: number): number {
  return Math.floor(amount / PAGE_BYTES) * PAGE_BYTES;
}

function podUsage({ runtime }: NodeHost, uid: string): PodUsage | undefined {
  const { core } = runtime;
  const sandboxes = core.sandboxesOf(uid);
  if (sandboxes.length === 0) return undefined;
  const containers: ContainerUsage[] = [];
  const volumes = new Map<string, number>();
  let memoryBytes = 0;
  let processes = sandboxes.length;
  for (const container of sandboxes.flatMap(({ id }) =>
    core.containersOf(id),
  )) {
    const rootfsBytes = wholePages(addWrites(container, volumes));
    const { process, state, config } = container;
    if (!process || state !== "CONTAINER_RUNNING") continue;
    const used = wholePages(process.memoryBytes());
    memoryBytes += used;
    processes += process.processes();
    containers.push({
      ...{ name: config.metadata.name, memoryBytes: used, rootfsBytes },
      logsBytes: logBytes(container),
    });
  }
  return { containers, memoryBytes, processes, volumes };
}

/** Adds what lies in volumes; returns what lies in the layer. */
function addWrites(
  container: ContainerRecord,
  volumes: Map<string, number>,
): number {
  let layer = 0;
  for (const [path, size] of container.process?.writes() ?? []) {
    const volume = volumeOf(container, path);
    if (volume === undefined) layer += size;
    else volumes.set(volume, (volumes.get(volume) ?? 0) + size);
  }
  return layer;
}
