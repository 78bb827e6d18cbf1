/**
 * Graceful node shutdown: when the machine is to be turned off, the kubelet
 * asks for time, and ends its Pods group by group, the critical ones last.
 * Models:     pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go @ v1.36
 * Leaves out: a shutdown that is called off.
 * Try:        end all groups at once, and see what becomes of DNS.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { Kernel } from "../kernel/index.ts";
import type { Rejection } from "./admission.ts";
import type { Ending } from "./parts.ts";
import { runAll, withTimeout } from "./processes.ts";
import { type KubeletConfiguration, parseGoDuration } from "./settings.ts";

/** The machine's logind: who holds a lock is told, and waited for. */
export interface Inhibitor {
  inhibit(lock: { delayMs: number; onPrepare: () => void }): void;
  release(): void;
}

export interface ShutdownHost {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly inhibitor: Inhibitor;
  readonly configuration: KubeletConfiguration;
  activePods(): Pod[];
  isActive(pod: Pod): boolean;
  kill(pod: Pod, graceSeconds: number, ending: Ending): void;
  nodeEvent(reason: string, message: string): void;
  /** The node's status shall say it at once. */
  onBegin(): void;
}

/** Pods from this priority on, up to the next group's. */
export interface Group {
  readonly priority: number;
  readonly shutdownGracePeriodSeconds: number;
}

const POLL_MS = 100;
const CRITICAL = 2_000_000_000;
const MESSAGE = "Pod was terminated in response to imminent node shutdown.";

export class NodeShutdown {
  private readonly host: ShutdownHost;
  private readonly groups: readonly Group[];
  private begun = false;

  constructor(host: ShutdownHost) {
    this.host = host;
    this.groups = groupsOf(host.configuration);
  }

  /** Takes the lock; without periods the machine goes off at once. */
  start(): void {
    const { groups, host } = this;
    if (groups.length === 0) return;
    const seconds = groups.map((group) => group.shutdownGracePeriodSeconds);
    const delayMs = seconds.reduce((sum, each) => sum + each, 0) * 1000;
    host.inhibitor.inhibit({ delayMs, onPrepare: () => this.begin() });
  }

  stop(): void {
    this.host.inhibitor.release();
  }

  /** Why the node is not ready; "" if it is. */
  get problem(): string {
    return this.begun ? "node is shutting down" : "";
  }

  admit(): Rejection | undefined {
    if (!this.begun) return undefined;
    const message = "Pod was rejected as the node is shutting down.";
    return { reason: "NodeShutdown", message };
  }

  private begin(): void {
    const { kernel, actor, nodeEvent, onBegin } = this.host;
    this.begun = true;
    nodeEvent("NodeShutdown", "Shutdown manager detected shutdown event");
    onBegin();
    kernel.spawn(actor, () => this.process());
  }

  // region: process
  private async process(): Promise<void> {
    const { kernel, actor, inhibitor, activePods } = this.host;
    const pods = activePods();
    for (const group of this.groups) {
      const own = pods.filter((pod) => groupOf(this.groups, pod) === group);
      if (own.length === 0) continue;
      const seconds = group.shutdownGracePeriodSeconds;
      const ends = own.map((pod) => () => this.end(pod, seconds));
      const all = () => runAll(kernel, actor, ends);
      await withTimeout(kernel, actor, seconds * 1000, all);
    }
    inhibitor.release();
  }
  // endregion: process

  /** With its own grace period if that is shorter. */
  private async end(pod: Pod, seconds: number): Promise<void> {
    const { kernel, kill, isActive } = this.host;
    const own = pod.spec.terminationGracePeriodSeconds ?? seconds;
    kill(pod, Math.min(own, seconds), ENDING);
    while (isActive(pod)) await kernel.sleep(POLL_MS);
  }
}

const ENDING: Ending = {
  phase: "Failed",
  unlessSucceeded: true,
  reason: "Terminated",
  message: MESSAGE,
  condition: {
    type: "DisruptionTarget",
    status: "True",
    reason: "TerminationByKubelet",
    message: MESSAGE,
  },
};

/** By priority, or two groups: all Pods, and the critical ones. */
export function groupsOf(config: KubeletConfiguration): Group[] {
  const { shutdownGracePeriodByPodPriority: byPriority } = config;
  if (byPriority?.length) {
    return byPriority.toSorted((a, b) => a.priority - b.priority);
  }
  const secondsOf = (text = "0s") => Math.trunc(parseGoDuration(text) / 1000);
  const all = secondsOf(config.shutdownGracePeriod);
  const critical = secondsOf(config.shutdownGracePeriodCriticalPods);
  if (all === 0 || critical > all) return [];
  return [
    { priority: 0, shutdownGracePeriodSeconds: all - critical },
    { priority: CRITICAL, shutdownGracePeriodSeconds: critical },
  ];
}

/** The last group whose priority the Pod reaches; else the first. */
export function groupOf(groups: readonly Group[], { spec }: Pod) {
  const priority = spec.priority ?? 0;
  return groups.findLast((group) => group.priority <= priority) ?? groups[0];
}
