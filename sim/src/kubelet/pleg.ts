/**
 * The Pod lifecycle event generator: looks at the runtime once a second, and
 * tells for which Pods something changed. (Here it looks only in the seconds
 * in which something did: the same moments, without the idle ones.)
 * Models:     pkg/kubelet/pleg/generic.go @ v1.36
 * Leaves out: PLEG health; the evented PLEG.
 * Try:        look every ten seconds, and watch how long Pods take to be Ready.
 */
import type { RuntimeService } from "../cri/api.ts";
import type { Kernel, Timer } from "../kernel/index.ts";
import { type RuntimePod, readPodStatus } from "./runtime/pod-status.ts";

export interface PlegOptions {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly runtime: RuntimeService;
  /** Where in the second this node looks, in ms. */
  readonly phaseMs: number;
  readonly onChange: (uid: string, status: RuntimePod) => void;
}

const RELIST_MS = 1000;

export class Pleg {
  private readonly options: PlegOptions;
  /** Pods to look at, each with the last thing that happened to it. */
  private readonly changed = new Map<string, { causeId: number }>();
  private timer: Timer | undefined;

  constructor(options: PlegOptions) {
    this.options = options;
  }

  /** Something happened to a container of the Pod. */
  notice(uid: string): void {
    const { kernel, phaseMs } = this.options;
    this.changed.set(uid, { causeId: kernel.causeId });
    if (this.timer) return;
    const sinceTick = (kernel.now() - phaseMs + RELIST_MS) % RELIST_MS;
    this.timer = kernel.after(RELIST_MS - sinceTick, () => this.tick());
  }

  /** True if what is known of the Pod is older than what happened to it. */
  isStale(uid: string): boolean {
    return this.changed.has(uid);
  }

  forget(uid: string): void {
    this.changed.delete(uid);
  }

  stop(): void {
    this.timer?.cancel();
    this.changed.clear();
  }

  private tick(): void {
    this.timer = undefined;
    this.options.kernel.spawn(this.options.actor, () => this.relist());
  }

  private async relist(): Promise<void> {
    const { kernel, runtime, onChange } = this.options;
    for (const [uid, what] of [...this.changed]) {
      kernel.causeId = what.causeId;
      const status = await readPodStatus(runtime, uid);
      // What happened meanwhile is the next tick's.
      if (this.changed.get(uid) !== what) continue;
      this.changed.delete(uid);
      onChange(uid, status);
    }
  }
}
