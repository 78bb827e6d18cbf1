/**
 * The three parts of the scheduling queue and the clockwork between them: a
 * flush of the backoff at each whole second, and one of the unschedulable
 * Pods each 30 s for those that have waited 5 minutes.
 * Models:     activeQ, backoffQ and unschedulablePods in pkg/scheduler/
 *             backend/queue @ v1.36
 * Leaves out: ticks while nothing waits, so that a run can come to rest.
 */
import type { Kernel } from "../../kernel/index.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Status } from "../status.ts";
import { isBackingOff, WINDOW_MS, windowOf } from "./backoff.ts";
import { PodHeap } from "./heap.ts";
import type { QueuedPod } from "./queued-pod.ts";

/** A Pod waits for an event this long at most. */
const UNSCHEDULABLE_MAX_MS = 5 * 60_000;
const UNSCHEDULABLE_CHECK_MS = 30_000;

export interface RoomOptions {
  readonly kernel: Kernel;
  less(a: QueuedPod, b: QueuedPod): boolean;
  /** The plugin that keeps the Pod out of the queue, if one does. */
  preEnqueue(info: PodInfo): Status | null;
  /** There is something to pop. */
  onReady(): void;
  /** The Pod has waited too long for an event. */
  onLeftover(queued: QueuedPod): void;
}

export class Rooms {
  readonly unschedulable = new Set<QueuedPod>();
  /** The same by the plugins that refused them. */
  private readonly byPlugin = new Map<string, Set<QueuedPod>>();
  private readonly options: RoomOptions;
  private readonly active: PodHeap;
  private readonly backoff: PodHeap;
  private closed = false;
  private backoffTimer = false;
  private leftoverTimer = false;

  constructor(options: RoomOptions) {
    this.options = options;
    const less = (a: QueuedPod, b: QueuedPod) => options.less(a, b);
    this.active = new PodHeap("active", less);
    this.backoff = new PodHeap(
      "backoff",
      (a, b) =>
        a.backoffEndsAtMs < b.backoffEndsAtMs ||
        (a.backoffEndsAtMs === b.backoffEndsAtMs && less(a, b)),
    );
  }

  /** No more flushes: the scheduler has stopped. */
  close(): void {
    this.closed = true;
  }

  get sizes() {
    return {
      active: this.active.size,
      backoff: this.backoff.size,
      unschedulable: this.unschedulable.size,
    };
  }

  /**
   * The next Pod to schedule. With nothing active the first of those that
   * back off is taken early: the scheduler has nothing better to do.
   */
  pop(): QueuedPod | undefined {
    const next = this.active.pop();
    if (next) return next;
    const early = this.backoff.peek();
    // After an error the API server is spared: no early try.
    return early?.consecutiveErrors === 0 ? this.backoff.pop() : undefined;
  }

  toActive(queued: QueuedPod): void {
    if (this.isGated(queued)) return;
    this.active.push(queued);
    this.options.onReady();
  }

  toBackoff(queued: QueuedPod): void {
    if (this.isGated(queued)) return;
    this.backoff.push(queued);
    this.startBackoffTimer();
    this.options.onReady();
  }

  toUnschedulable(queued: QueuedPod): void {
    queued.place = "unschedulable";
    this.unschedulable.add(queued);
    for (const plugin of refusersOf(queued)) {
      const pods = this.byPlugin.get(plugin);
      if (pods) pods.add(queued);
      else this.byPlugin.set(plugin, new Set([queued]));
    }
    this.startLeftoverTimer();
  }

  takeOut(queued: QueuedPod): void {
    if (queued.place === "active") this.active.remove(queued);
    else if (queued.place === "backoff") this.backoff.remove(queued);
    else {
      this.unschedulable.delete(queued);
      for (const plugin of refusersOf(queued)) {
        this.byPlugin.get(plugin)?.delete(queued);
      }
    }
    queued.place = "none";
  }

  /** Unschedulable Pods that this plugin refused. */
  refusedBy(plugin: string): Iterable<QueuedPod> {
    return this.byPlugin.get(plugin) ?? [];
  }

  /** A Pod that a preEnqueue plugin keeps out waits with the unschedulable. */
  private isGated(queued: QueuedPod): boolean {
    const refusal = this.options.preEnqueue(queued.info);
    queued.gatedBy = refusal?.plugin ?? "";
    if (!refusal) return false;
    const refused = queued.unschedulablePlugins;
    queued.unschedulablePlugins = new Set([...refused, refusal.plugin]);
    this.toUnschedulable(queued);
    return true;
  }

  private startBackoffTimer(): void {
    if (this.backoffTimer) return;
    this.backoffTimer = true;
    const { kernel } = this.options;
    const now = kernel.now();
    kernel.after(windowOf(now) + WINDOW_MS - now, () => {
      this.backoffTimer = false;
      if (this.closed) return;
      this.flushBackoff(kernel.now());
      if (this.backoff.size > 0) this.startBackoffTimer();
    });
  }

  private flushBackoff(nowMs: number): void {
    for (;;) {
      const next = this.backoff.peek();
      if (!next || isBackingOff(next.backoffEndsAtMs, nowMs)) return;
      this.backoff.pop();
      this.active.push(next);
      this.options.onReady();
    }
  }

  private startLeftoverTimer(): void {
    if (this.leftoverTimer) return;
    this.leftoverTimer = true;
    const { kernel, onLeftover } = this.options;
    kernel.after(UNSCHEDULABLE_CHECK_MS, () => {
      this.leftoverTimer = false;
      if (this.closed) return;
      const oldest = kernel.now() - UNSCHEDULABLE_MAX_MS;
      for (const queued of [...this.unschedulable]) {
        if (queued.sinceMs < oldest) onLeftover(queued);
      }
      if (this.unschedulable.size > 0) this.startLeftoverTimer();
    });
  }
}

function refusersOf(queued: QueuedPod): string[] {
  return [...queued.unschedulablePlugins, ...queued.pendingPlugins];
}
