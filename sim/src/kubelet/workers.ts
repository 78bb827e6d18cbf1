/**
 * Pod workers: one for each Pod of the node, each doing one thing at a time.
 * What happens meanwhile is done next, folded into one more turn.
 * Models:     pkg/kubelet/pod_workers.go @ v1.36
 * Leaves out: the resync of every Pod about once a minute, which here would
 *             find nothing that no event has told of.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { Timer } from "../kernel/index.ts";
import type { KubeletParts } from "./parts.ts";
import { NO_RUNTIME_POD, type RuntimePod } from "./runtime/pod-status.ts";
import { syncPod, syncTerminatedPod, syncTerminatingPod } from "./sync-pod.ts";

/** A Pod's life on the node. */
type Stage = "syncing" | "terminating" | "terminated" | "finished";

interface Worker {
  pod: Pod;
  stage: Stage;
  runtime: RuntimePod;
  busy: boolean;
  pending: boolean;
  /** What led to the next turn. */
  causeId: number;
  timer: Timer | undefined;
  /** Instead of the Pod's own grace period. */
  graceOverride: number | undefined;
}

export interface WorkersOptions {
  readonly parts: KubeletParts;
  /** True if the runtime's state in our hands is too old to act on. */
  readonly isStale: (uid: string) => boolean;
  /** The Pod's processes have all ended. */
  readonly onTerminated: (pod: Pod) => void;
}

const ERROR_RETRY_MS = 10_000;
/** A microsecond: the sum of two times may fall just short of a third. */
const LEAST_WAIT_MS = 0.001;

export class PodWorkers {
  private readonly options: WorkersOptions;
  private readonly workers = new Map<string, Worker>();
  private stopped = false;

  constructor(options: WorkersOptions) {
    this.options = options;
  }

  /** A new Pod, or a new state of it. */
  update(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    let worker = this.workers.get(uid);
    if (!worker) {
      worker = {
        ...{ pod, stage: "syncing", runtime: NO_RUNTIME_POD, busy: false },
        ...{ pending: false, causeId: 0, timer: undefined },
        graceOverride: undefined,
      };
      this.workers.set(uid, worker);
    }
    worker.pod = pod;
    if (pod.metadata.deletionTimestamp) this.end(worker);
    this.poke(worker);
  }

  /** A new state that asks for no work: the next turn shall know it. */
  learn(pod: Pod): void {
    const worker = this.workers.get(pod.metadata.uid ?? "");
    if (worker) worker.pod = pod;
  }

  /** The node itself ends the Pod: eviction, a deadline. */
  kill(uid: string, graceOverride?: number): void {
    const worker = this.workers.get(uid);
    if (!worker) return;
    worker.graceOverride = graceOverride;
    this.end(worker);
    this.poke(worker);
  }

  /** The runtime's state as it was read last. */
  setRuntime(uid: string, runtime: RuntimePod): void {
    const worker = this.workers.get(uid);
    if (!worker) return;
    worker.runtime = runtime;
    this.poke(worker);
  }

  /** A probe's result changed, or the like. */
  wake(uid: string): void {
    const worker = this.workers.get(uid);
    if (worker) this.poke(worker);
  }

  /** True while the Pod has, or may have, something that runs. */
  isActive(uid: string): boolean {
    const worker = this.workers.get(uid);
    return worker !== undefined && worker.stage !== "finished";
  }

  /** Pods of which something runs or may come to run. */
  active(): Pod[] {
    return [...this.workers.values()]
      .filter(({ stage }) => stage === "syncing" || stage === "terminating")
      .map(({ pod }) => pod);
  }

  get(uid: string): Pod | undefined {
    return this.workers.get(uid)?.pod;
  }

  /** What the runtime had of the Pod when it was read last. */
  runtimeOf(uid: string): RuntimePod | undefined {
    return this.workers.get(uid)?.runtime;
  }

  /** The kubelet has removed a container that had ended. */
  containerGone(uid: string, id: string): void {
    const worker = this.workers.get(uid);
    if (!worker) return;
    const { containers } = worker.runtime;
    const rest = containers.filter((container) => container.id !== id);
    worker.runtime = { ...worker.runtime, containers: rest };
  }

  forget(uid: string): void {
    this.workers.get(uid)?.timer?.cancel();
    this.workers.delete(uid);
  }

  stop(): void {
    this.stopped = true;
    for (const uid of [...this.workers.keys()]) this.forget(uid);
  }

  private end(worker: Worker): void {
    if (worker.stage === "syncing") worker.stage = "terminating";
  }

  private poke(worker: Worker): void {
    const { kernel, actor } = this.options.parts;
    worker.causeId = kernel.causeId;
    worker.pending = true;
    if (worker.busy || this.stopped) return;
    worker.busy = true;
    kernel.spawn(actor, () => this.run(worker));
  }

  private async run(worker: Worker): Promise<void> {
    const { parts, isStale } = this.options;
    const uid = worker.pod.metadata.uid ?? "";
    while (worker.pending && this.workers.get(uid) === worker) {
      // The generator of lifecycle events is about to tell of it.
      if (isStale(uid)) break;
      worker.pending = false;
      worker.timer?.cancel();
      this.record(worker);
      try {
        await this.turn(worker);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const subject = `sync ${worker.pod.metadata.name}`;
        parts.kernel.record(parts.actor, "error", subject, "", { message });
        this.again(worker, parts.kernel.now() + ERROR_RETRY_MS);
      }
    }
    worker.busy = false;
  }

  private record({ pod, stage, causeId }: Worker): void {
    const { kernel, actor } = this.options.parts;
    const { name, namespace } = pod.metadata;
    const subject = kernel.trace.wants("sync-pod")
      ? `Pod ${namespace}/${name}`
      : "";
    kernel.causeId = causeId;
    kernel.causeId = kernel.record(actor, "sync-pod", subject, "", { stage });
  }

  private async turn(worker: Worker): Promise<void> {
    const { parts, onTerminated } = this.options;
    const { pod, runtime, stage } = worker;
    if (stage === "syncing") {
      const { terminal, againAtMs } = await syncPod(parts, pod, runtime);
      if (terminal && worker.stage === "syncing") {
        worker.stage = "terminating";
        worker.pending = true;
      } else if (againAtMs !== undefined) this.again(worker, againAtMs);
    } else if (stage === "terminating") {
      const { graceOverride } = worker;
      const end = syncTerminatingPod(parts, pod, runtime, graceOverride);
      worker.runtime = await end;
      worker.stage = "terminated";
      worker.pending = true;
    } else if (stage === "terminated") {
      await syncTerminatedPod(parts, pod, runtime);
      worker.stage = "finished";
      onTerminated(pod);
    }
  }

  private again(worker: Worker, atMs: number): void {
    const { kernel } = this.options.parts;
    worker.timer?.cancel();
    if (!Number.isFinite(atMs)) return;
    // The least wait moves the clock on: at 0 it could poke for ever.
    const delayMs = Math.max(LEAST_WAIT_MS, atMs - kernel.now());
    worker.timer = kernel.after(delayMs, () => this.poke(worker));
  }
}
