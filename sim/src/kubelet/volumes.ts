/**
 * The Pod's volumes: a Pod starts only once all are mounted. Those out of
 * ConfigMaps and Secrets need the object; those of a CSI driver are attached,
 * staged and published first.
 * Models:     pkg/kubelet/volumemanager @ v1.36
 * Leaves out: host paths' types; the contents of files.
 */
import type { Pod, Volume } from "../api/kinds/pod.ts";
import type { Kernel } from "../kernel/index.ts";
import type { ConfigSource } from "./runtime/context.ts";

/** Volumes that another part of the node mounts: claims by CSI. */
export interface VolumePlugin {
  supports(volume: Volume): boolean;
  /** Throws with the message of the Event if it is not there yet. */
  mount(pod: Pod, volume: Volume): Promise<void>;
  unmount(pod: Pod, volume: Volume): Promise<void>;
  /** The Pod is gone, mounted or not. */
  forget?(uid: string): void;
  /** Volumes that Pods of the node need or have, for the Node's status. */
  inUse?(): readonly string[];
  /** The Node's status now says that these are in use. */
  reported?(names: readonly string[]): void;
  stop?(): void;
}

/** It is not the volume's turn yet: that is no news, for some time. */
export class NotYet extends Error {
  /** When to look again, in ms from now. */
  readonly afterMs: number;

  constructor(what: string, afterMs: number) {
    super(what);
    this.name = "NotYet";
    this.afterMs = afterMs;
  }
}

export interface MountProblem {
  /** Of the Event; "" for none. */
  readonly message: string;
  readonly againAtMs: number;
}

const FIRST_RETRY_MS = 500;
const RETRY_MAX_MS = 122_000;
/** The Pod is told after so long, and then again, in ms. */
const PATIENCE_MS = 123_000;

export class VolumeManager {
  private readonly kernel: Kernel;
  private readonly lookUp: ConfigSource["lookUp"];
  private readonly plugins: readonly VolumePlugin[];
  /** Pods whose volumes are all mounted. */
  private readonly mounted = new Set<string>();
  private readonly tries = new Map<string, number>();
  /** Since when a Pod waits for its volumes' turn, in ms. */
  private readonly waiting = new Map<string, number>();

  constructor(
    kernel: Kernel,
    lookUp: ConfigSource["lookUp"],
    plugins: readonly VolumePlugin[] = [],
  ) {
    this.kernel = kernel;
    this.lookUp = lookUp;
    this.plugins = plugins;
  }

  /** Mounts what is missing; says what could not be mounted. */
  waitForAttachAndMount(
    pod: Pod,
  ): Promise<MountProblem | undefined> | undefined {
    const { volumes } = pod.spec;
    const uid = pod.metadata.uid ?? "";
    if (!volumes?.length || this.mounted.has(uid)) return undefined;
    return this.mountAll(pod, uid, volumes);
  }

  private async mountAll(
    pod: Pod,
    uid: string,
    volumes: readonly Volume[],
  ): Promise<MountProblem | undefined> {
    for (const volume of volumes) {
      try {
        await this.mount(pod, volume);
      } catch (error) {
        if (error instanceof NotYet) return this.wait(pod, volume, error);
        const tries = this.tries.get(uid) ?? 0;
        this.tries.set(uid, tries + 1);
        const waitMs = Math.min(FIRST_RETRY_MS * 2 ** tries, RETRY_MAX_MS);
        const message = (error as Error).message;
        return { message, againAtMs: this.kernel.now() + waitMs };
      }
    }
    this.mounted.add(uid);
    this.waiting.delete(uid);
    return undefined;
  }

  private wait(
    { metadata: { uid = "" } }: Pod,
    { name }: Volume,
    { afterMs }: NotYet,
  ): MountProblem {
    const now = this.kernel.now();
    const sinceMs = this.waiting.get(uid) ?? now;
    const late = now - sinceMs >= PATIENCE_MS;
    this.waiting.set(uid, late ? now : sinceMs);
    const message = `Unable to attach or mount volumes: unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`;
    return { message: late ? message : "", againAtMs: now + afterMs };
  }

  async waitForUnmount(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? "";
    // Mounted or not: an earlier kubelet may have mounted what we have not.
    for (const volume of pod.spec.volumes ?? []) {
      const plugin = this.plugins.find((each) => each.supports(volume));
      await plugin?.unmount(pod, volume);
    }
    this.mounted.delete(uid);
  }

  forget(uid: string): void {
    this.mounted.delete(uid);
    this.tries.delete(uid);
    this.waiting.delete(uid);
    for (const plugin of this.plugins) plugin.forget?.(uid);
  }

  stop(): void {
    for (const plugin of this.plugins) plugin.stop?.();
  }

  private async mount(pod: Pod, volume: Volume): Promise<void> {
    const plugin = this.plugins.find((each) => each.supports(volume));
    if (plugin) return plugin.mount(pod, volume);
    const { configMap, secret } = volume;
    if (configMap && !configMap.optional) {
      await this.need(pod, volume, "configmap", configMap.name ?? "");
    }
    if (secret && !secret.optional) {
      await this.need(pod, volume, "secret", secret.secretName ?? "");
    }
  }

  private async need(
    pod: Pod,
    volume: Volume,
    kind: "configmap" | "secret",
    name: string,
  ): Promise<void> {
    if (await this.lookUp(kind, pod, name)) return;
    throw new Error(
      `MountVolume.SetUp failed for volume "${volume.name}" : ${kind} "${name}" not found`,
    );
  }
}
