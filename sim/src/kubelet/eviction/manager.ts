/**
 * Eviction: before the node itself falls over, the kubelet ends Pods, one
 * every ten seconds at most, and says in the Node's conditions what it is
 * short of.
 * Models:     pkg/kubelet/eviction/eviction_manager.go @ v1.36
 * Leaves out: memory cgroup notifications; a turn in which nothing is short
 *             of anything leaves no trace.
 * Try:        evict with the Pod's own grace period, and watch memory run out.
 */
import type { Pod, PodCondition } from "../../api/kinds/pod.ts";
import type { EventType } from "../../client/events.ts";
import type { Kernel, Timer } from "../../kernel/index.ts";
import type { Rejection } from "../admission.ts";
import { isCriticalPod } from "../containers.ts";
import type { Ending } from "../parts.ts";
import { type KubeletConfiguration, parseGoDuration } from "../settings.ts";
import { rejectionUnder } from "./admission.ts";
import { type EvictionText, evictionText } from "./message.ts";
import { type DiskShare, rank } from "./rank.ts";
import { type NodeStats, observe } from "./stats.ts";
import { brokenStorageLimit } from "./storage-limits.ts";
import { type Condition, SIGNALS, type Threshold } from "./thresholds.ts";
import { isMet, Watch } from "./watch.ts";

export interface EvictionHost {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly stats: NodeStats;
  /** Pods that have not ended yet. */
  activePods(): Pod[];
  /** About a Pod; of the Node if there is none. */
  event(
    pod: Pod | undefined,
    type: EventType,
    reason: string,
    message: string,
    annotations?: Readonly<Record<string, string>>,
  ): void;
  kill(pod: Pod, graceSeconds: number, ending: Ending): void;
  /** Nothing is left of the Pod: no process, no container, no volume. */
  isCleanedUp(pod: Pod): boolean;
  /** Removes dead containers, then images that nobody uses. */
  reclaimDisk(): Promise<void>;
}

const MONITOR_MS = 10_000;
const CLEANUP_MS = 30_000;
const CLEANUP_POLL_MS = 1000;
/** For hard thresholds; the runtime still gives it two. */
const IMMEDIATE_GRACE_SECONDS = 1;

export class EvictionManager {
  private readonly host: EvictionHost;
  private readonly watch: Watch;
  private readonly maxGraceSeconds: number;
  private timer: Timer | undefined;

  constructor(host: EvictionHost, config: KubeletConfiguration) {
    this.host = host;
    const { evictionPressureTransitionPeriod: period = "5m" } = config;
    this.watch = new Watch(config, parseGoDuration(period));
    this.maxGraceSeconds = config.evictionMaxPodGracePeriod ?? 0;
  }

  /** What the node is short of. */
  get conditions(): ReadonlySet<Condition> {
    return this.watch.conditions;
  }

  start(): void {
    this.again(0);
  }

  stop(): void {
    this.timer?.cancel();
  }

  /** Says why a new Pod cannot be let in, if it cannot. */
  admit(pod: Pod): Rejection | undefined {
    return rejectionUnder(this.conditions, pod);
  }

  private again(delayMs: number): void {
    this.timer = this.host.kernel.after(delayMs, () => this.look());
  }

  private look(): void {
    const { kernel, actor, stats } = this.host;
    const node = stats.node();
    if (node.writtenBytes === 0 && this.watch.isQuiet(observe(node))) {
      return this.again(MONITOR_MS);
    }
    kernel.causeId = 0;
    kernel.spawn(actor, () => this.work());
  }

  private async work(): Promise<void> {
    const evicted = await this.synchronize();
    await this.untilCleanedUp(evicted);
    this.again(evicted.length > 0 ? 0 : MONITOR_MS);
  }

  // region: synchronize
  /** Resolves with the Pods that had to go. */
  private async synchronize(): Promise<Pod[]> {
    const { host, watch } = this;
    const { kernel, actor, stats } = host;
    const seen = observe(stats.node());
    const thresholds = watch.update(seen, kernel.now());
    const overLimit = this.evictOverLimit();
    if (overLimit.length > 0) return overLimit;
    const threshold = thresholds[0];
    if (!threshold) return [];
    const [, resource] = SIGNALS[threshold.signal];
    const subject = `${threshold.signal} below ${threshold.value}`;
    const detail = { ...seen[threshold.signal] };
    kernel.causeId = kernel.record(actor, "reconcile", subject, "", detail);
    const attempt = `Attempting to reclaim ${resource}`;
    host.event(undefined, "Warning", "EvictionThresholdMet", attempt);
    if (await this.reclaim(threshold)) return [];
    const statsOf = (pod: Pod) => stats.pod(pod.metadata.uid ?? "");
    const share = this.shareOf(threshold);
    const ranked = rank(host.activePods(), threshold.signal, statsOf, share);
    for (const pod of ranked) {
      const usage = statsOf(pod);
      const text = evictionText(resource, pod, usage, thresholds, seen);
      const grace = this.graceOf(pod, threshold);
      if (this.evict(pod, grace, text, true)) return [pod];
    }
    return [];
  }
  // endregion: synchronize

  /** What is nobody's goes first. True if that was enough. */
  private async reclaim({ signal }: Threshold): Promise<boolean> {
    const { stats, reclaimDisk } = this.host;
    const onImageDisk = signal.startsWith("imagefs.");
    const onNodeDisk = signal.startsWith("nodefs.") && !stats.dedicatedImageFs;
    if (!onImageDisk && !onNodeDisk) return false;
    await reclaimDisk();
    const seen = observe(stats.node());
    return this.watch.thresholds.every((each) => !isMet(each, seen, true));
  }

  /** With a disk of their own, layers do not burden the node's. */
  private shareOf({ signal }: Threshold): DiskShare {
    if (!this.host.stats.dedicatedImageFs) return { rootfs: true, local: true };
    const rootfs = signal.startsWith("imagefs.");
    return { rootfs, local: !rootfs };
  }

  private graceOf({ spec }: Pod, { gracePeriodMs }: Threshold): number {
    if (gracePeriodMs === 0) return IMMEDIATE_GRACE_SECONDS;
    const own = spec.terminationGracePeriodSeconds ?? this.maxGraceSeconds;
    return Math.min(this.maxGraceSeconds, own);
  }

  private evictOverLimit(): Pod[] {
    const { host } = this;
    const { stats } = host;
    return host.activePods().filter((pod) => {
      const usage = stats.pod(pod.metadata.uid ?? "");
      const { dedicatedImageFs } = stats;
      const message = usage && brokenStorageLimit(pod, usage, dedicatedImageFs);
      if (!message) return false;
      const text = { message, annotations: {} };
      return this.evict(pod, IMMEDIATE_GRACE_SECONDS, text, false);
    });
  }

  /** False for a critical Pod: it stays whatever happens. */
  private evict(
    pod: Pod,
    graceSeconds: number,
    { message, annotations }: EvictionText,
    disruption: boolean,
  ): boolean {
    if (isCriticalPod(pod)) return false;
    const { host } = this;
    host.event(pod, "Warning", "Evicted", message, annotations);
    const condition: PodCondition | undefined = disruption
      ? { ...DISRUPTION, message }
      : undefined;
    const reason = "Evicted";
    host.kill(pod, graceSeconds, {
      ...{ phase: "Failed", reason, message, condition },
    });
    return true;
  }

  private async untilCleanedUp(pods: readonly Pod[]): Promise<void> {
    const { host } = this;
    const { kernel } = host;
    const endMs = kernel.now() + CLEANUP_MS;
    while (pods.length > 0 && kernel.now() < endMs) {
      await kernel.sleep(CLEANUP_POLL_MS);
      if (pods.every((pod) => host.isCleanedUp(pod))) return;
    }
  }
}

const DISRUPTION = {
  type: "DisruptionTarget",
  status: "True",
  reason: "TerminationByKubelet",
} as const;
