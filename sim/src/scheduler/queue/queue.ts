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
import {
  type ClusterEvent,
  coversEvent,
  EVERYTHING,
} from "../cluster-events.ts";
import type { Status } from "../status.ts";
import { backoffEndsAtMs, isBackingOff } from "./backoff.ts";
import { type HintTable, isWorth } from "./hints.ts";
import type { Nominator } from "./nominator.ts";
import { QueuedPod } from "./queued-pod.ts";
import { Rooms } from "./rooms.ts";

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
  private readonly rooms: Rooms;
  private seq = 0;
  /** Called when there is something to pop. */
  onReady: () => void = () => {};

  constructor(kernel: Kernel, plugins: QueuePlugins, nominator: Nominator) {
    this.kernel = kernel;
    this.plugins = plugins;
    this.nominator = nominator;
    this.rooms = new Rooms({
      kernel,
      less: (a, b) => plugins.less(a, b),
      preEnqueue: (info) => plugins.preEnqueue(info),
      onReady: () => this.onReady(),
      onLeftover: (queued) => this.tryMove(queued, EVERYTHING),
    });
  }

  /** Pods in each part. */
  get sizes() {
    return this.rooms.sizes;
  }

  /** The scheduler stops: nothing moves any more. */
  close(): void {
    this.rooms.close();
    this.onReady = () => {};
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
    this.rooms.toActive(queued);
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
    this.rooms.takeOut(queued);
    this.pods.delete(key);
    this.nominator.delete(queued.info.uid);
  }

  /** The next Pod to schedule. */
  pop(): QueuedPod | undefined {
    const next = this.rooms.pop();
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
    if (queued.consecutiveErrors > 0) this.rooms.toBackoff(queued);
    else this.rooms.toUnschedulable(queued);
  }

  /** Something happened: Pods that it may help get another try. */
  move(event: ClusterEvent, old?: KubeObject, now?: KubeObject): void {
    if (this.rooms.unschedulable.size === 0) return;
    const candidates = new Set<QueuedPod>();
    for (const [plugin, events] of this.plugins.hints) {
      if (!events.some((one) => coversEvent(one.event, event))) continue;
      for (const queued of this.rooms.refusedBy(plugin)) candidates.add(queued);
    }
    for (const queued of candidates) this.tryMove(queued, event, old, now);
  }

  /** Another try at once, whatever refused the Pod. */
  activate(key: string): void {
    const queued = this.pods.get(key);
    if (!queued || queued.place === "active" || queued.place === "none") return;
    this.rooms.takeOut(queued);
    this.rooms.toActive(queued);
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
    this.rooms.takeOut(queued);
    const waits =
      worth === "after-backoff" &&
      isBackingOff(queued.backoffEndsAtMs, this.kernel.now());
    if (waits) this.rooms.toBackoff(queued);
    else this.rooms.toActive(queued);
    return queued.place !== "unschedulable";
  }
  // endregion: move
}
