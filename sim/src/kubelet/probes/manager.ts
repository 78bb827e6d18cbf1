/**
 * All probe workers of a node, and their results by container.
 * Models: pkg/kubelet/prober/{prober_manager,results/results_manager}.go @ v1.36
 */
import type { Container, Pod } from "../../api/kinds/pod.ts";
import type { Kernel, Random } from "../../kernel/index.ts";
import { allContainers, isSidecar } from "../containers.ts";
import type { ProbeResult } from "../runtime/actions.ts";
import {
  type ProbeHost,
  type ProbeTarget,
  type ProbeType,
  ProbeWorker,
  specOf,
} from "./worker.ts";

export interface ProbeManagerOptions {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly random: Random;
  target(pod: Pod, name: string): ProbeTarget | undefined;
  run(
    pod: Pod,
    container: Container,
    type: ProbeType,
    containerId: string,
  ): Promise<ProbeResult | "error">;
  /** A result is new. */
  onResult(
    pod: Pod,
    type: ProbeType,
    containerId: string,
    result: ProbeResult,
  ): void;
}

const TYPES: readonly ProbeType[] = ["startup", "readiness", "liveness"];

export class ProbeManager implements ProbeHost {
  readonly kernel: Kernel;
  readonly actor: string;
  private readonly options: ProbeManagerOptions;
  private readonly startedAtMs: number;
  /** By the Pod's uid. */
  private readonly workers = new Map<string, ProbeWorker[]>();
  /** By type and container. */
  private readonly results = new Map<string, ProbeResult>();

  constructor(options: ProbeManagerOptions) {
    this.options = options;
    this.kernel = options.kernel;
    this.actor = options.actor;
    this.startedAtMs = options.kernel.now();
  }

  /** Makes a worker for each probe of the Pod, if it has none yet. */
  addPod(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    if (this.workers.has(uid)) return;
    const init = pod.spec.initContainers ?? [];
    const made: ProbeWorker[] = [];
    for (const container of allContainers(pod)) {
      if (init.includes(container) && !isSidecar(container)) continue;
      for (const type of TYPES) {
        if (!specOf(container, type)) continue;
        made.push(new ProbeWorker(this, pod, container, type));
      }
    }
    if (made.length === 0) return;
    this.workers.set(uid, made);
    for (const worker of made) worker.start(this.startDelayMs(worker));
  }

  /** Just after its own start the kubelet spreads the first probes. */
  private startDelayMs({ spec }: ProbeWorker): number {
    const periodMs = (spec.periodSeconds ?? 10) * 1000;
    const age = this.kernel.now() - this.startedAtMs;
    return periodMs > age ? this.options.random.between(0, periodMs) : 0;
  }

  updatePod(pod: Pod): void {
    for (const worker of this.workersOf(pod)) worker.pod = pod;
  }

  /** The Pod is being ended: being alive no longer matters, being ready does. */
  stopLivenessAndStartup(pod: Pod): void {
    this.drop(pod, (worker) => worker.type !== "readiness");
  }

  removePod(pod: Pod): void {
    this.drop(pod, () => true);
  }

  get(type: ProbeType, containerId: string): ProbeResult | undefined {
    return this.results.get(`${type}/${containerId}`);
  }

  /** Has the container started, by its startup probe? */
  started(pod: Pod, name: string, containerId: string): boolean {
    const result = this.get("startup", containerId);
    if (result !== undefined) return result === "Success";
    return !this.worker(pod, name, "startup");
  }

  /** Is it ready? If that is not known, its probe runs at once. */
  ready(pod: Pod, name: string, containerId: string): boolean {
    if (this.get("readiness", containerId) === "Success") return true;
    const worker = this.worker(pod, name, "readiness");
    // After the status is stored, in which the probe looks for its container.
    if (worker) this.kernel.after(0, () => worker.trigger());
    return !worker;
  }

  private worker(pod: Pod, name: string, type: ProbeType) {
    return this.workersOf(pod).find(
      (each) => each.container.name === name && each.type === type,
    );
  }

  private workersOf({ metadata }: Pod): readonly ProbeWorker[] {
    return this.workers.get(metadata.uid ?? "") ?? [];
  }

  private drop(pod: Pod, which: (worker: ProbeWorker) => boolean): void {
    const all = this.workersOf(pod);
    for (const worker of all) if (which(worker)) worker.stop();
    const kept = all.filter((worker) => !which(worker));
    const uid = pod.metadata.uid ?? "";
    if (kept.length > 0) this.workers.set(uid, kept);
    else this.workers.delete(uid);
  }

  stop(): void {
    for (const all of this.workers.values()) {
      for (const worker of all) worker.stop();
    }
    this.workers.clear();
  }

  target(pod: Pod, name: string): ProbeTarget | undefined {
    return this.options.target(pod, name);
  }

  probe(worker: ProbeWorker, containerId: string) {
    const { pod, container, type } = worker;
    return this.options.run(pod, container, type, containerId);
  }

  set({ type, pod }: ProbeWorker, containerId: string, result: ProbeResult) {
    const key = `${type}/${containerId}`;
    if (this.results.get(key) === result) return;
    this.results.set(key, result);
    this.options.onResult(pod, type, containerId, result);
  }

  remove({ type }: ProbeWorker, containerId: string): void {
    this.results.delete(`${type}/${containerId}`);
  }
}
