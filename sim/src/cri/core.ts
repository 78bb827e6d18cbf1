/**
 * What every runtime of a node has in common: its records of sandboxes and
 * containers, its images, the node's disk and network, and how long things
 * take. The runtimes differ in the order in which they use them.
 */
import type { Disk } from "../kernel/disk.ts";
import { flat } from "../kernel/flat.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import type { NodeNetwork } from "../network/node-network.ts";
import type { ContainerEvent, PodSandboxMetadata } from "./api.ts";
import { RpcError } from "./api.ts";
import type { ImageStore } from "./image-store.ts";
import type { RuntimeKind } from "./kinds.ts";
import { OomKiller } from "./oom-killer.ts";
import type { PodNetwork } from "./pod-network.ts";
import type { ContainerRecord, SandboxRecord } from "./records.ts";

/** How long the parts of a call take, in ms; each varies by chance. */
export interface RuntimeLatency {
  /** All plugins of a CNI ADD or DEL. */
  readonly cniMs: number;
  /** Starting the pause container with its shim. */
  readonly sandboxStartMs: number;
  readonly createMs: number;
  readonly startMs: number;
  readonly stopMs: number;
}

export const USUAL_LATENCY: RuntimeLatency = {
  cniMs: 40,
  sandboxStartMs: 60,
  createMs: 15,
  startMs: 70,
  stopMs: 10,
};

export interface RuntimeOptions {
  readonly kernel: Kernel;
  /** `containerd/node-1`. */
  readonly actor: string;
  /** containerd unless said. */
  readonly kind?: RuntimeKind;
  readonly random: Random;
  readonly disk: Disk;
  readonly network: NodeNetwork;
  readonly podNetwork: PodNetwork;
  readonly images: ImageStore;
  readonly latency?: RuntimeLatency;
  /** Pinned: the garbage collection of images leaves it alone. */
  readonly pauseImage?: string;
  /** 2 unless said; 1 is deprecated, and the runtime says so. */
  readonly cgroupVersion?: 1 | 2;
  /** Of the machine; absent: without end. */
  readonly memoryBytes?: number;
  /** True if the name resolves inside a Pod of `namespace`. */
  readonly resolves?: (name: string, namespace: string) => boolean;
}

const FIRST_PID = 1001;

export class RuntimeCore {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly kind: RuntimeKind;
  readonly random: Random;
  readonly disk: Disk;
  readonly network: NodeNetwork;
  readonly podNetwork: PodNetwork;
  readonly images: ImageStore;
  readonly latency: RuntimeLatency;
  readonly resolves: (name: string, namespace: string) => boolean;
  readonly pauseImage: string;
  readonly cgroupVersion: 1 | 2;
  readonly oomKiller: OomKiller | undefined;
  readonly sandboxes = new Map<string, SandboxRecord>();
  readonly containers = new Map<string, ContainerRecord>();
  /** The folder of the containers stays once there was one. */
  hadContainers = false;
  /** Sandboxes by the Pod's uid, containers by their sandbox, oldest first. */
  private readonly byUid = new Map<string, SandboxRecord[]>();
  private readonly bySandbox = new Map<string, ContainerRecord[]>();
  private readonly names = new Set<string>();
  private readonly listeners: ((event: ContainerEvent) => void)[] = [];

  constructor(options: RuntimeOptions) {
    this.kernel = options.kernel;
    this.actor = options.actor;
    this.kind = options.kind ?? "containerd";
    this.random = options.random;
    this.disk = options.disk;
    this.network = options.network;
    this.podNetwork = options.podNetwork;
    this.images = options.images;
    this.latency = options.latency ?? USUAL_LATENCY;
    this.pauseImage = options.pauseImage ?? "registry.k8s.io/pause:3.10.2";
    this.cgroupVersion = options.cgroupVersion ?? 2;
    const { memoryBytes } = options;
    if (memoryBytes) this.oomKiller = new OomKiller(this, memoryBytes);
    this.resolves = options.resolves ?? (() => true);
  }

  /** 64 hexadecimal digits. */
  newId(): string {
    return this.random.hex(64);
  }

  /** Waits about `ms`. */
  takes(ms: number): Promise<void> {
    return this.kernel.sleep(ms * this.random.between(0.7, 1.3));
  }

  /** Records what the runtime does to a container or a sandbox. */
  note(subject: string, detail?: object): number {
    return this.kernel.record(this.actor, "container", subject, "", detail);
  }

  /** Process numbers go up with every container that was made. */
  pidOf({ id }: ContainerRecord): number {
    return FIRST_PID + [...this.containers.keys()].indexOf(id);
  }

  /** `web_shop_uid_0`; the same name twice at a time is an error. */
  reserveName(metadata: PodSandboxMetadata, prefix = ""): string {
    const { name, namespace, uid, attempt = 0 } = metadata;
    const full = flat(`${prefix}${name}_${namespace}_${uid}_${attempt}`);
    if (this.names.has(full)) {
      const desc = `failed to reserve sandbox name "${full}": name "${full}" is reserved`;
      throw new RpcError("Unknown", desc);
    }
    this.names.add(full);
    return full;
  }

  releaseName(name: string): void {
    this.names.delete(name);
  }

  addSandbox(sandbox: SandboxRecord): void {
    this.sandboxes.set(sandbox.id, sandbox);
    const { uid } = sandbox.config.metadata;
    const known = this.byUid.get(uid);
    if (known) known.push(sandbox);
    else this.byUid.set(uid, [sandbox]);
  }

  removeSandbox(sandbox: SandboxRecord): void {
    this.sandboxes.delete(sandbox.id);
    this.bySandbox.delete(sandbox.id);
    const { uid } = sandbox.config.metadata;
    const rest = this.sandboxesOf(uid).filter((each) => each !== sandbox);
    if (rest.length > 0) this.byUid.set(uid, rest);
    else this.byUid.delete(uid);
  }

  /** The Pod's sandboxes, oldest first. */
  sandboxesOf(uid: string): readonly SandboxRecord[] {
    return this.byUid.get(uid) ?? [];
  }

  addContainer(container: ContainerRecord): void {
    this.hadContainers = true;
    this.containers.set(container.id, container);
    const known = this.bySandbox.get(container.sandboxId);
    if (known) known.push(container);
    else this.bySandbox.set(container.sandboxId, [container]);
  }

  removeContainer(container: ContainerRecord): void {
    this.containers.delete(container.id);
    const rest = this.containersOf(container.sandboxId);
    const kept = rest.filter((each) => each !== container);
    this.bySandbox.set(container.sandboxId, kept);
  }

  containersOf(sandboxId: string): readonly ContainerRecord[] {
    return this.bySandbox.get(sandboxId) ?? [];
  }

  /** The sandbox, or the error that the runtime answers. */
  sandbox(id: string): SandboxRecord {
    const found = this.sandboxes.get(id);
    if (found) return found;
    const desc = `an error occurred when try to find sandbox: sandbox "${id}": not found`;
    throw new RpcError("NotFound", desc);
  }

  container(id: string): ContainerRecord {
    const found = this.containers.get(id);
    if (found) return found;
    const desc = `an error occurred when try to find container "${id}": not found`;
    throw new RpcError("NotFound", desc);
  }

  onEvent(listener: (event: ContainerEvent) => void): void {
    this.listeners.push(listener);
  }

  emit(
    container_id: string,
    what: "CREATED" | "STARTED" | "STOPPED" | "DELETED",
    pod_uid: string,
  ): void {
    const container_event_type = `CONTAINER_${what}_EVENT` as const;
    const event = { container_id, container_event_type, pod_uid };
    for (const listener of this.listeners) listener(event);
  }
}
