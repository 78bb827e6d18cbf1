/**
 * What of a machine's init system matters to its kubelet: who wants to turn
 * the machine off has to wait for those who hold a lock, but not for ever.
 * Models:     systemd-logind: delay locks, PrepareForShutdown, InhibitDelayMaxSec
 * Leaves out: a shutdown that is called off; locks of others.
 */
import type { Kernel, Timer } from "../kernel/index.ts";

export interface DelayLock {
  /** So long at most, in ms. */
  readonly delayMs: number;
  /** The machine is about to be turned off. */
  readonly onPrepare: () => void;
}

/** From the last lock's release until nothing runs any more, in ms. */
const POWER_OFF_MS = 1000;

export class Logind {
  private readonly kernel: Kernel;
  private lock: DelayLock | undefined;
  private waiting: { timer: Timer; off: () => void } | undefined;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  inhibit(lock: DelayLock): void {
    this.lock = lock;
  }

  /** Whoever held the lock is ready, or has died. */
  release(): void {
    this.lock = undefined;
    const { waiting, kernel } = this;
    if (!waiting) return;
    this.waiting = undefined;
    waiting.timer.cancel();
    kernel.after(POWER_OFF_MS, waiting.off);
  }

  /** `off` turns the machine off, once nobody objects any more. */
  shutDown(off: () => void): void {
    if (this.waiting) return;
    const { lock, kernel } = this;
    const delayMs = lock?.delayMs ?? 0;
    const timer = kernel.after(delayMs, () => this.release());
    this.waiting = { timer, off };
    lock?.onPrepare();
  }
}
