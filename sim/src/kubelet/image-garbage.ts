/**
 * Images that no container uses go once the disk is 85 % full, the longest
 * unused first, until it is 80 % full; those first seen in the last two
 * minutes may be about to be used, and stay.
 * Models:     pkg/kubelet/images/image_gc_manager.go, kubelet.go
 *             StartGarbageCollection @ v1.36
 * Leaves out: the 30 s cache of the list.
 * Try:        set imageGCHighThresholdPercent to 10.
 */
import type { EventType } from "../client/events.ts";
import type { ImageService, RuntimeService } from "../cri/api.ts";
import type { Kernel, Timer } from "../kernel/index.ts";
import type { Usage } from "./eviction/stats.ts";
import { messageOf } from "./runtime/context.ts";
import { type KubeletConfiguration, parseGoDuration } from "./settings.ts";

export interface ImageGarbageHost {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly runtime: RuntimeService & ImageService;
  readonly configuration: KubeletConfiguration;
  /** Ids of the images that were there when the kubelet started. */
  atStart(): ReadonlySet<string>;
  imageFs(): Usage;
  nodeEvent(reason: string, message: string, type: EventType): void;
}

interface ImageRecord {
  readonly id: string;
  firstDetectedMs: number;
  lastUsedMs: number;
  sizeBytes: number;
  pinned: boolean;
}

const PERIOD_MS = 300_000;
const NEVER = Number.NEGATIVE_INFINITY;

export class ImageGarbage {
  private readonly host: ImageGarbageHost;
  private readonly startedAtMs: number;
  private readonly records = new Map<string, ImageRecord>();
  private failedBefore = false;
  private timer: Timer | undefined;

  constructor(host: ImageGarbageHost) {
    this.host = host;
    this.startedAtMs = host.kernel.now();
  }

  /** Every 5 minutes; 100 % switches it off. */
  start(): void {
    const { kernel, actor, configuration } = this.host;
    if (configuration.imageGCHighThresholdPercent === 100) return;
    this.timer = kernel.after(PERIOD_MS, () => {
      this.start();
      kernel.causeId = 0;
      kernel.spawn(actor, () => this.turn());
    });
  }

  stop(): void {
    this.timer?.cancel();
  }

  /** All that nobody uses and that is old enough, however full the disk is. */
  async deleteUnused(): Promise<void> {
    const unused = await this.unused();
    await this.free(Number.POSITIVE_INFINITY, unused);
  }

  private async turn(): Promise<void> {
    try {
      await this.collect();
      this.failedBefore = false;
    } catch (error) {
      // Once may be chance: only the second time in a row is told.
      if (this.failedBefore) this.tell("ImageGCFailed", messageOf(error));
      this.failedBefore = true;
    }
  }

  // region: collect
  private async collect(): Promise<void> {
    const { configuration, imageFs } = this.host;
    const { imageGCHighThresholdPercent: high = 85 } = configuration;
    const { imageGCLowThresholdPercent: low = 80 } = configuration;
    const unused = await this.removeOld(await this.unused());
    const { used, capacity } = imageFs();
    if (capacity === 0) {
      const message = "invalid capacity 0 on image filesystem";
      this.tell("InvalidDiskCapacity", message);
      throw new Error(message);
    }
    const available = Math.max(0, capacity - used);
    const usagePercent = 100 - Math.floor((available * 100) / capacity);
    if (usagePercent < high) return;
    const amount = Math.floor((capacity * (100 - low)) / 100) - available;
    const freed = await this.free(amount, unused);
    if (freed >= amount) return;
    const message = `Failed to garbage collect required amount of images. Attempted to free ${amount} bytes, but only found ${freed} bytes eligible to free.`;
    this.tell("FreeDiskSpaceFailed", message);
    throw new Error(message);
  }
  // endregion: collect

  private tell(reason: string, message: string): void {
    this.host.nodeEvent(reason, message, "Warning");
  }

  /** Those unused for longer than the greatest age, if there is one. */
  private async removeOld(
    unused: readonly ImageRecord[],
  ): Promise<ImageRecord[]> {
    const { kernel, configuration } = this.host;
    const { imageMaximumGCAge = "0s" } = configuration;
    const maxAgeMs = parseGoDuration(imageMaximumGCAge);
    const now = kernel.now();
    if (maxAgeMs === 0 || now - this.startedAtMs <= maxAgeMs)
      return [...unused];
    const kept: ImageRecord[] = [];
    for (const record of unused) {
      if (now - record.lastUsedMs <= maxAgeMs) kept.push(record);
      else await this.remove(record);
    }
    return kept;
  }

  /** Bytes that were freed. */
  private async free(amount: number, unused: readonly ImageRecord[]) {
    const { kernel, configuration } = this.host;
    const { imageMinimumGCAge = "2m" } = configuration;
    const minAgeMs = parseGoDuration(imageMinimumGCAge);
    const now = kernel.now();
    let freed = 0;
    for (const record of unused) {
      if (freed >= amount) break;
      if (now - record.firstDetectedMs < minAgeMs) continue;
      await this.remove(record);
      freed += record.sizeBytes;
    }
    return freed;
  }

  private async remove({ id }: ImageRecord): Promise<void> {
    await this.host.runtime.removeImage({ image: { image: id } });
    this.records.delete(id);
  }

  /** What may go, the longest unused first. */
  private async unused(): Promise<ImageRecord[]> {
    const inUse = await this.detect();
    return [...this.records.values()]
      .filter(({ id, pinned }) => !pinned && !inUse.has(id))
      .sort(
        (a, b) =>
          order(a.lastUsedMs, b.lastUsedMs) ||
          a.firstDetectedMs - b.firstDetectedMs,
      );
  }

  /** Looks at what there is; returns the images of all containers. */
  private async detect(): Promise<ReadonlySet<string>> {
    const { kernel, runtime } = this.host;
    const { images } = await runtime.listImages({});
    const { containers } = await runtime.listContainers({});
    const inUse = new Set(containers.map((one) => one.image_ref));
    const now = kernel.now();
    const first = this.records.size === 0 ? this.host.atStart() : NO_IDS;
    const current = new Set<string>();
    for (const { id, size, pinned = false } of images) {
      current.add(id);
      const known = this.records.get(id);
      const record: ImageRecord = {
        ...{ id, sizeBytes: size, pinned },
        firstDetectedMs:
          known?.firstDetectedMs ?? (first.has(id) ? this.startedAtMs : now),
        lastUsedMs: inUse.has(id) ? now : (known?.lastUsedMs ?? NEVER),
      };
      this.records.set(id, record);
    }
    for (const id of this.records.keys()) {
      if (!current.has(id)) this.records.delete(id);
    }
    return inUse;
  }
}

const NO_IDS: ReadonlySet<string> = new Set();

function order(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
