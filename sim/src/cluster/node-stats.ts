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
  /** Files that the disk can hold; absent: by its size. */
  readonly inodes?: number;
  /** Of images and layers, if they have a disk of their own. */
  readonly imageDisk?: string;
  readonly pids: number;
}

/** Memory is given out in pages, and disks in blocks of the same size. */
const PAGE_BYTES = 4096;
/** mke2fs makes an inode for so many bytes of the disk. */
const INODE_RATIO = 16_384;
/** About what a file of an image has. */
const BYTES_A_FILE = 65_536;

export function nodeStats(host: NodeHost, size: MachineSize): NodeStats {
  const dedicatedImageFs = size.imageDisk !== undefined;
  return {
    dedicatedImageFs,
    node: () => nodeUsage(host, size),
    pod: (uid) => podUsage(host, uid),
  };
}

/** Bytes, and the files that they lie in. */
interface Amount {
  bytes: number;
  files: number;
}

const none = (): Amount => ({ bytes: 0, files: 0 });

function add(to: Amount, bytes: number, files: number): void {
  to.bytes += bytes;
  to.files += files;
}

function nodeUsage({ runtime }: NodeHost, size: MachineSize): NodeUsage {
  const { core } = runtime;
  let memory = 0;
  const layers = none();
  const local = none();
  let processes = core.sandboxes.size;
  for (const container of core.containers.values()) {
    const { process, state } = container;
    if (!process) continue;
    if (state === "CONTAINER_RUNNING") {
      memory += process.memoryBytes();
      processes += process.processes();
    }
    add(local, logBytes(container), 1);
    for (const [path, size, files = 1] of process.writes()) {
      const inVolume = volumeOf(container, path) !== undefined;
      add(inVolume ? local : layers, size, files);
    }
  }
  return {
    memory: { used: wholePages(memory), capacity: bytes(size.memory) },
    ...diskUsage(size, local, layers, core.images.usedBytes()),
    processes: { used: processes, capacity: size.pids },
  };
}

/** One disk for all, or one for what comes of images and one for the rest. */
function diskUsage(
  { disk, imageDisk, inodes = inodesOf(disk) }: MachineSize,
  local: Amount,
  layers: Amount,
  images: number,
) {
  const onImages = { ...layers };
  add(onImages, images, Math.floor(images / BYTES_A_FILE));
  const onNode = { ...local };
  if (!imageDisk) add(onNode, onImages.bytes, onImages.files);
  const nodeFs = { used: wholePages(onNode.bytes), capacity: bytes(disk) };
  const nodeInodes = { used: onNode.files, capacity: inodes };
  const writtenBytes = layers.bytes + local.bytes;
  if (!imageDisk) {
    const shared = { imageFs: nodeFs, imageInodes: nodeInodes };
    return { nodeFs, nodeInodes, ...shared, writtenBytes };
  }
  const [used, capacity] = [wholePages(onImages.bytes), bytes(imageDisk)];
  const imageInodes = { used: onImages.files, capacity: inodesOf(imageDisk) };
  const imageFs = { used, capacity };
  return { nodeFs, nodeInodes, imageFs, imageInodes, writtenBytes };
}

function inodesOf(disk: string): number {
  return Math.floor(bytes(disk) / INODE_RATIO);
}

function wholePages(amount: number): number {
  return Math.floor(amount / PAGE_BYTES) * PAGE_BYTES;
}

function podUsage({ runtime }: NodeHost, uid: string): PodUsage | undefined {
  const { core } = runtime;
  const sandboxes = core.sandboxesOf(uid);
  if (sandboxes.length === 0) return undefined;
  const containers: ContainerUsage[] = [];
  const volumes: Volumes = new Map();
  let memoryBytes = 0;
  let processes = sandboxes.length;
  for (const container of sandboxes.flatMap(({ id }) =>
    core.containersOf(id),
  )) {
    const layer = addWrites(container, volumes);
    const { process, state, config } = container;
    if (!process || state !== "CONTAINER_RUNNING") continue;
    const used = wholePages(process.memoryBytes());
    memoryBytes += used;
    processes += process.processes();
    containers.push({
      ...{ name: config.metadata.name, memoryBytes: used },
      ...{ rootfsBytes: wholePages(layer.bytes), rootfsInodes: layer.files },
      ...{ logsBytes: logBytes(container), logsInodes: 1 },
    });
  }
  const of = (part: keyof Amount) =>
    new Map([...volumes].map(([name, amount]) => [name, amount[part]]));
  return {
    ...{ containers, memoryBytes, processes },
    ...{ volumes: of("bytes"), volumeInodes: of("files") },
  };
}

type Volumes = Map<string, Amount>;

/** Adds what lies in volumes; returns what lies in the layer. */
function addWrites(container: ContainerRecord, volumes: Volumes): Amount {
  const layer = none();
  for (const [path, size, files = 1] of container.process?.writes() ?? []) {
    const volume = volumeOf(container, path);
    const amount =
      volume === undefined ? layer : (volumes.get(volume) ?? none());
    add(amount, size, files);
    if (volume !== undefined) volumes.set(volume, amount);
  }
  return layer;
}
