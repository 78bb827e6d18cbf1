/**
 * The scheduling queue, in three parts: `active` (to be scheduled now, by
 * priority), `backoff` (failed a moment ago), `unschedulable` (waits until an
 * event of the cluster gives it a chance, or 5 minutes have gone by).
 * Models:     pkg/scheduler/backend/queue/scheduling_queue.go @ v1.36
 * Leaves out: events during a cycle: a cycle is one step, none can come in
 *             between; Pod groups.
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { type KubeObject, keyOf } from "../../api/types.ts";
import type { Kernel } from "../../kernel/index.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { type ClusterEvent, EVERYTHING } from "../cluster-events.ts";
import type { Status } from "../status.ts";
import {
  backoffEndsAtMs,
  isBackingOff,
  WINDOW_MS,
  windowOf,
} from "./backoff.ts";
import { PodHeap } from "./heap.ts";
import { type HintTable, isWorth } from "./hints.ts";
import type { Nominator } from "./nominator.ts";
import { QueuedPod } from "./queued-pod.ts";

/** A Pod waits for an event this long at most. */
const UNSCHEDULABLE_MAX_MS = 5 * 60_000;
const UNSCHEDULABLE_CHECK_MS = 30_000;

const none: ReadonlySet<string> = new Set();

/** What the queue needs of the plugins. */
export interface QueuePlugins {
  less(a: QueuedPod, b: QueuedPod): boolean;
  preEnqueue(info: PodInfo): Status | null;
  readonly hints: HintTable;
}

export class SchedulingQueue {
  private readonly kernel: Kernel;
  private readonly plugins: QueuePlugins;
  private readonly nominator: Nominator;
  private readonly pods = new Map<string, QueuedPod>();
  private readonly active: PodHeap;
  private readonly backoff: PodHeap;
  private readonly unschedulable = new Set<QueuedPod>();
  private seq = 0;
  private backoffTimer = false;
  private leftoverTimer = false;
  /** Called when there is something to pop. */
  onReady: () => void = () => {};

  constructor(kernel: Kernel, plugins: QueuePlugins, nominator: Nominator) {
    this.kernel = kernel;
    this.plugins = plugins;
    this.nominator = nominator;
    const less = (a: QueuedPod, b: QueuedPod) => plugins.less(a, b);
    this.active = new PodHeap("active", less);
    this.backoff = new PodHeap(
      "backoff",
      (a, b) =>
        a.backoffEndsAtMs < b.backoffEndsAtMs ||
        (a.backoffEndsAtMs === b.backoffEndsAtMs && less(a, b)),
    );
  }

  get sizes() {
    return {
      active: this.active.size,
      backoff: this.backoff.size,
      unschedulable: this.unschedulable.size,
    };
  }

  has(key: string): boolean {
    return this.pods.has(key);
  }

  /** A new Pod without a Node. */
  add(pod: Pod): void {
    const info = new PodInfo(pod);
    this.delete(info.key);
    const queued = new QueuedPod(info, this.seq++, this.kernel.now());
    queued.causeId = this.kernel.causeId;
    this.pods.set(info.key, queued);
    this.nominator.update(info);
    this.toActive(queued);
  }

  /** A Pod in the queue changed; `events` tell what in it matters. */
  update(old: Pod, pod: Pod, events: readonly ClusterEvent[]): void {
    const queued = this.pods.get(keyOf(pod));
    if (!queued) return;
    queued.info = new PodInfo(pod);
    this.nominator.update(queued.info);
    if (queued.place !== "unschedulable") return;
    for (const event of events) {
      if (this.tryMove(queued, event, old, pod)) return;
    }
  }

  delete(key: string): void {
    const queued = this.pods.get(key);
    if (!queued) return;
    this.takeOut(queued);
    this.pods.delete(key);
    this.nominator.delete(queued.info.uid);
  }

  /**
   * The next Pod to schedule. With nothing active the first of those that
   * back off is taken early: the scheduler has nothing better to do.
   */
  pop(): QueuedPod | undefined {
    let next = this.active.pop();
    if (!next) {
      const early = this.backoff.peek();
      // After an error the API server is spared: no early try.
      if (early && early.consecutiveErrors === 0) next = this.backoff.pop();
    }
    if (!next) return undefined;
    next.attempts++;
    next.unschedulablePlugins = none;
    next.pendingPlugins = none;
    return next;
  }

  /** The Pod was scheduled, or is gone: the queue forgets it. */
  done(queued: QueuedPod): void {
    const { key } = queued.info;
    if (this.pods.get(key) === queued) this.pods.delete(key);
  }

  /** The Pod of this key was bound. */
  bound(key: string): void {
    if (this.pods.get(key)?.place === "none") this.pods.delete(key);
  }

  /** Scheduling failed. No plugin that refused it means: an error. */
  giveBack(queued: QueuedPod): void {
    const { unschedulablePlugins, pendingPlugins } = queued;
    this.pods.set(queued.info.key, queued);
    if (unschedulablePlugins.size + pendingPlugins.size === 0) {
      queued.consecutiveErrors++;
    } else {
      queued.unschedulableCount++;
      queued.consecutiveErrors = 0;
    }
    queued.sinceMs = this.kernel.now();
    queued.backoffEndsAtMs = backoffEndsAtMs(
      queued.sinceMs,
      queued.unschedulableCount,
      queued.consecutiveErrors,
    );
    if (queued.consecutiveErrors > 0) this.toBackoff(queued);
    else this.toUnschedulable(queued);
  }

  /** Something happened: Pods that it may help get another try. */
  move(event: ClusterEvent, old?: KubeObject, now?: KubeObject): void {
    for (const queued of [...this.unschedulable]) {
      this.tryMove(queued, event, old, now);
    }
  }

  /** Another try at once, whatever refused the Pod. */
  activate(key: string): void {
    const queued = this.pods.get(key);
    if (!queued || queued.place === "active" || queued.place === "none") return;
    this.takeOut(queued);
    this.toActive(queued);
  }

  // region: move
  private tryMove(
    queued: QueuedPod,
    event: ClusterEvent,
    old?: KubeObject,
    now?: KubeObject,
  ): boolean {
    const worth = isWorth(this.plugins.hints, queued, event, old, now);
    if (worth === "no") return false;
    queued.causeId = this.kernel.causeId;
    this.takeOut(queued);
    const waits =
      worth === "after-backoff" &&
      isBackingOff(queued.backoffEndsAtMs, this.kernel.now());
    if (waits) this.toBackoff(queued);
    else this.toActive(queued);
    return queued.place !== "unschedulable";
  }
  // endregion: move

  private toActive(queued: QueuedPod): void {
    if (this.isGated(queued)) return;
    this.active.push(queued);
    this.onReady();
  }

  private toBackoff(queued: QueuedPod): void {
    if (this.isGated(queued)) return;
    this.backoff.push(queued);
    this.startBackoffTimer();
    this.onReady();
  }

  private toUnschedulable(queued: QueuedPod): void {
    queued.place = "unschedulable";
    this.unschedulable.add(queued);
    this.startLeftoverTimer();
  }

  /** A Pod that a preEnqueue plugin keeps out waits with the unschedulable. */
  private isGated(queued: QueuedPod): boolean {
    const refusal = this.plugins.preEnqueue(queued.info);
    queued.gatedBy = refusal?.plugin ?? "";
    if (!refusal) return false;
    const refused = queued.unschedulablePlugins;
    queued.unschedulablePlugins = new Set([...refused, refusal.plugin]);
    this.toUnschedulable(queued);
    return true;
  }

  private takeOut(queued: QueuedPod): void {
    if (queued.place === "active") this.active.remove(queued);
    else if (queued.place === "backoff") this.backoff.remove(queued);
    else this.unschedulable.delete(queued);
    queued.place = "none";
  }

  /** At each whole second, as long as a Pod backs off. */
  private startBackoffTimer(): void {
    if (this.backoffTimer) return;
    this.backoffTimer = true;
    const now = this.kernel.now();
    this.kernel.after(windowOf(now) + WINDOW_MS - now, () => {
      this.backoffTimer = false;
      this.flushBackoff();
      if (this.backoff.size > 0) this.startBackoffTimer();
    });
  }

  private flushBackoff(): void {
    for (;;) {
      const next = this.backoff.peek();
      if (!next || isBackingOff(next.backoffEndsAtMs, this.kernel.now()))
        return;
      this.backoff.pop();
      this.active.push(next);
      this.onReady();
    }
  }

  /** Each 30 s, as long as a Pod waits: none is forgotten for ever. */
  private startLeftoverTimer(): void {
    if (this.leftoverTimer) return;
    this.leftoverTimer = true;
    this.kernel.after(UNSCHEDULABLE_CHECK_MS, () => {
      this.leftoverTimer = false;
      const oldest = this.kernel.now() - UNSCHEDULABLE_MAX_MS;
      for (const queued of [...this.unschedulable]) {
        if (queued.sinceMs < oldest) this.tryMove(queued, EVERYTHING);
      }
      if (this.unschedulable.size > 0) this.startLeftoverTimer();
    });
  }
}
