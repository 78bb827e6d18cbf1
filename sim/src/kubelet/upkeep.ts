/**
 * How the kubelet keeps its node in order: what ended is removed, images that
 * nobody uses go, Pods are evicted before the machine runs out, and end in
 * good time when it is turned off; and logs do not grow for ever.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { ComponentContext } from "../client/component.ts";
import type { EventType } from "../client/events.ts";
import type { Rejection } from "./admission.ts";
import { DeadContainers } from "./dead-containers.ts";
import { EvictionManager } from "./eviction/manager.ts";
import { ContainerGarbage } from "./garbage.ts";
import { ImageGarbage } from "./image-garbage.ts";
import { LogRotation } from "./log-rotation.ts";
import type { NodeAgent } from "./node/agent.ts";
import type { KubeletOptions } from "./options.ts";
import type { Ending, KubeletParts } from "./parts.ts";
import type { RuntimePod } from "./runtime/pod-status.ts";
import { NodeShutdown } from "./shutdown.ts";
import type { PodWorkers } from "./workers.ts";

export interface UpkeepHost {
  readonly context: ComponentContext;
  readonly options: KubeletOptions;
  readonly parts: KubeletParts;
  readonly workers: PodWorkers;
  readonly agent: NodeAgent;
}

export class Upkeep {
  private readonly host: UpkeepHost;
  private readonly dead: DeadContainers;
  private readonly garbage: ContainerGarbage;
  private readonly images: ImageGarbage | undefined;
  private readonly eviction: EvictionManager | undefined;
  private readonly shutdown: NodeShutdown | undefined;
  private readonly rotation: LogRotation | undefined;
  private stopped = false;

  constructor(host: UpkeepHost) {
    this.host = host;
    const { context, options, workers, agent } = host;
    const { kernel, actor } = context;
    const { runtime } = options;
    const onRemoved = (uid: string, id: string) =>
      workers.containerGone(uid, id);
    const nodeEvent = (reason: string, message: string, type: EventType) =>
      agent.event(reason, message, type);
    this.dead = new DeadContainers({ kernel, actor, runtime, onRemoved });
    const stateOf = (uid: string) => {
      if (!workers.get(uid)) return "deleted";
      return workers.isActive(uid) ? "alive" : "ended";
    };
    const common = { context, options, onRemoved, nodeEvent };
    this.garbage = new ContainerGarbage({ ...common, stateOf });
    this.shutdown = this.makeShutdown();
    if (this.shutdown) agent.shutdown = this.shutdown;
    const { stats, logs, configuration = {} } = options;
    const own = { kernel, actor, runtime, configuration };
    if (logs) this.rotation = new LogRotation({ ...own, logs });
    if (!stats) return;
    this.images = new ImageGarbage({
      ...own,
      nodeEvent,
      atStart: () => agent.imagesAtStart ?? new Set(),
      imageFs: () => stats.node().imageFs,
    });
    this.eviction = this.makeEviction();
    if (this.eviction) agent.pressure = this.eviction;
  }

  start(): void {
    this.images?.start();
    this.eviction?.start();
    this.shutdown?.start();
    this.rotation?.start();
    this.host.options.onSystemOom?.((victim) => this.systemOom(victim));
  }

  stop(): void {
    this.stopped = true;
    this.garbage.stop();
    this.images?.stop();
    this.eviction?.stop();
    this.shutdown?.stop();
    this.rotation?.stop();
  }

  admit(pod: Pod): Rejection | undefined {
    return this.eviction?.admit(pod) ?? this.shutdown?.admit();
  }

  /** The runtime's state of a Pod was read. */
  seen(uid: string, status: RuntimePod): void {
    this.dead.clean(status, this.isEvicted(uid));
    if (status.sandboxes.length > 1) this.garbage.add(uid);
  }

  /** Nothing of the Pod runs any more, though its object is there. */
  isEvicted(uid: string): boolean {
    const { parts, workers } = this.host;
    if (workers.isActive(uid)) return false;
    const { reason } = parts.ending.get(uid) ?? workers.get(uid)?.status ?? {};
    return reason === "Evicted";
  }

  /** The Pod's object is gone, and nothing of it runs. */
  podGone(uid: string): void {
    this.garbage.add(uid);
  }

  private makeEviction(): EvictionManager | undefined {
    const { context, options, workers, agent } = this.host;
    const { stats, configuration = {} } = options;
    if (!stats) return undefined;
    const { kernel, actor, events } = context;
    const isClean = (uid: string) => {
      const { containers = [] } = workers.runtimeOf(uid) ?? {};
      return !workers.isActive(uid) && containers.length === 0;
    };
    const host: ConstructorParameters<typeof EvictionManager>[0] = {
      ...{ kernel, actor, stats },
      activePods: () => workers.active(),
      event(pod, type, reason, message, annotations) {
        if (!pod) return agent.event(reason, message, type);
        events.event(pod, type, reason, message, undefined, annotations);
      },
      kill: (pod, graceSeconds, ending) => this.kill(pod, graceSeconds, ending),
      isCleanedUp: (pod) => isClean(uidOf(pod)),
      reclaimDisk: async () => {
        await this.garbage.deleteAllUnused();
        await this.images?.deleteUnused();
      },
    };
    return new EvictionManager(host, configuration);
  }

  private makeShutdown(): NodeShutdown | undefined {
    const { context, options, workers, agent } = this.host;
    const { inhibitor, configuration = {} } = options;
    const { shutdownGracePeriod, shutdownGracePeriodByPodPriority } =
      configuration;
    const asksForTime = shutdownGracePeriod ?? shutdownGracePeriodByPodPriority;
    if (!inhibitor || !asksForTime) return undefined;
    const { kernel, actor } = context;
    return new NodeShutdown({
      ...{ kernel, actor, inhibitor, configuration },
      activePods: () => workers.active(),
      isActive: (pod) => workers.isActive(uidOf(pod)),
      kill: (pod, graceSeconds, ending) => this.kill(pod, graceSeconds, ending),
      nodeEvent: (reason, message) => agent.event(reason, message),
      onBegin: () => agent.refresh(),
    });
  }

  /** Source: pkg/kubelet/oom/oom_watcher_linux.go @ v1.36 */
  private systemOom(victim: { process: string; pid: number }): void {
    if (this.stopped) return;
    const { process, pid } = victim;
    const message = `System OOM encountered, victim process: ${process}, pid: ${pid}`;
    this.host.agent.event("SystemOOM", message, "Warning");
  }

  private kill(pod: Pod, graceSeconds: number, ending: Ending): void {
    const { parts, workers } = this.host;
    parts.ending.set(uidOf(pod), ending);
    workers.kill(uidOf(pod), graceSeconds);
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? "";
}
