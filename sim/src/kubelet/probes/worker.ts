/**
 * One probe of one container: asks at its period, counts what comes, and
 * tells when the result changes. It lives as long as the Pod, through all
 * restarts of the container.
 * Models: pkg/kubelet/prober/worker.go @ v1.36
 * Try:    count successes and failures together, without thresholds.
 */
import type {
  Container,
  ContainerStatus,
  Pod,
  Probe,
} from "../../api/kinds/pod.ts";
import type { Kernel, Timer } from "../../kernel/index.ts";
import { restartsAfter } from "../containers.ts";
import type { ProbeResult } from "../runtime/actions.ts";

export type ProbeType = "liveness" | "readiness" | "startup";

/** What the worker knows of its container when it is about to probe. */
export interface ProbeTarget {
  readonly podPhase: string;
  readonly status: ContainerStatus | undefined;
  /** Simulated ms at which it started. */
  readonly startedAtMs: number;
}

/** What a worker needs of the kubelet. */
export interface ProbeHost {
  readonly kernel: Kernel;
  readonly actor: string;
  /** As the status manager has it now; undefined if it has none yet. */
  target(pod: Pod, name: string): ProbeTarget | undefined;
  /** Runs the probe; "error": it could not run. */
  probe(
    worker: ProbeWorker,
    containerId: string,
  ): Promise<ProbeResult | "error">;
  /** Keeps the result, and tells of it if it is new. */
  set(worker: ProbeWorker, containerId: string, result: ProbeResult): void;
  remove(worker: ProbeWorker, containerId: string): void;
}

const INITIAL: Readonly<Record<ProbeType, ProbeResult>> = {
  readiness: "Failure",
  liveness: "Success",
  startup: "Unknown",
};

export class ProbeWorker {
  readonly type: ProbeType;
  readonly container: Container;
  readonly spec: Probe;
  pod: Pod;
  private readonly host: ProbeHost;
  private containerId = "";
  private onHold = false;
  private last: ProbeResult | "" = "";
  private run = 0;
  private timer: Timer | undefined;
  private busy = false;
  private triggered = false;
  private stopped = false;

  constructor(
    host: ProbeHost,
    pod: Pod,
    container: Container,
    type: ProbeType,
  ) {
    this.host = host;
    this.pod = pod;
    this.container = container;
    this.type = type;
    this.spec = specOf(container, type) ?? {};
  }

  /** Begins, after `delayMs` if the kubelet itself has just started. */
  start(delayMs = 0): void {
    this.timer = this.host.kernel.after(delayMs, () => this.tick());
  }

  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.timer?.cancel();
    if (this.containerId) this.host.remove(this, this.containerId);
  }

  /** Probes now and counts the period from here: somebody waits for it. */
  trigger(): void {
    if (this.stopped) return;
    if (this.busy) this.triggered = true;
    else this.tick();
  }

  private get periodMs(): number {
    return (this.spec.periodSeconds ?? 10) * 1000;
  }

  /** The period runs on while a probe takes its time. */
  private tick(): void {
    const { kernel, actor } = this.host;
    this.timer?.cancel();
    this.timer = kernel.after(this.periodMs, () => this.tick());
    if (this.busy) return;
    const target = this.host.target(this.pod, this.container.name);
    const verdict = this.prepare(target);
    if (verdict === "end") this.stop();
    if (verdict !== "probe") return;
    this.busy = true;
    kernel.spawn(actor, async () => {
      const id = this.containerId;
      const result = await this.host.probe(this, id);
      this.busy = false;
      if (this.stopped) return;
      if (result !== "error" && id === this.containerId) this.count(result);
      if (this.triggered) {
        this.triggered = false;
        this.tick();
      }
    });
  }

  // region: prepare
  /** Whether to probe now, to wait for the next tick, or to end. */
  private prepare(target: ProbeTarget | undefined): "probe" | "wait" | "end" {
    if (!target) return "wait";
    const { podPhase, status, startedAtMs } = target;
    if (podPhase === "Failed" || podPhase === "Succeeded") return "end";
    const id = status?.containerID?.replace(/^\w+:\/\//, "");
    if (!status || !id) return "wait";
    if (id !== this.containerId) this.adopt(id);
    if (this.onHold) return "wait";
    if (!status.state?.running) {
      this.host.set(this, id, "Failure");
      const ended = status.state?.terminated;
      const again =
        !ended || restartsAfter(this.pod, this.container, ended.exitCode);
      return again ? "wait" : "end";
    }
    if (this.pod.metadata.deletionTimestamp && this.type !== "readiness") {
      this.host.set(this, id, "Success");
      return "end";
    }
    const ageMs = this.host.kernel.now() - startedAtMs;
    const delaySeconds = this.spec.initialDelaySeconds ?? 0;
    if (Math.floor(ageMs / 1000) < delaySeconds) return "wait";
    // Startup probes until it has started; the others only from then on.
    const started = status.started ?? false;
    return started === (this.type !== "startup") ? "probe" : "wait";
  }
  // endregion: prepare

  /** A new container: all that was counted is about the old one. */
  private adopt(id: string): void {
    if (this.containerId) this.host.remove(this, this.containerId);
    this.containerId = id;
    this.host.set(this, id, INITIAL[this.type]);
    this.onHold = false;
  }

  private count(result: ProbeResult): void {
    this.run = this.last === result ? this.run + 1 : 1;
    this.last = result;
    const { failureThreshold = 3, successThreshold = 1 } = this.spec;
    const needed = result === "Failure" ? failureThreshold : successThreshold;
    if (this.run < needed) return;
    this.host.set(this, this.containerId, result);
    if (this.type === "readiness") return;
    if (this.type === "liveness" && result !== "Failure") return;
    // It will be killed, or has started: nothing to ask until the next one.
    this.onHold = true;
    this.run = 0;
  }
}

export function specOf(
  container: Container,
  type: ProbeType,
): Probe | undefined {
  if (type === "liveness") return container.livenessProbe;
  return type === "readiness"
    ? container.readinessProbe
    : container.startupProbe;
}
