/**
 * Faults that a scenario or a reader injects: a component is stopped, slowed
 * or cut off from another. Components never ask; the transport and the
 * components' own run loops do, through `blocked`, `stopped` and `delayMs`.
 */
import type { Recorder } from "./trace.ts";

/** Who is stopped, cut off or slow just now; reached as `kernel.faults`. */
export class Faults {
  private readonly recorder: Recorder;
  private readonly stoppedActors = new Set<string>();
  private readonly cuts = new Set<string>();
  private readonly slow = new Map<string, number>();
  private readonly listeners: ((actor: string, up: boolean) => void)[] = [];

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** True once any fault was ever injected: a fast way out for `blocked`. */
  any = false;

  /** Calls `listener` whenever an actor is stopped or started. */
  onChange(listener: (actor: string, up: boolean) => void): void {
    this.listeners.push(listener);
  }

  /** The component loses its process: memory gone, disk kept. */
  stop(actor: string): void {
    if (this.stoppedActors.has(actor)) return;
    this.note("stop", actor);
    this.stoppedActors.add(actor);
    for (const listener of this.listeners) listener(actor, false);
  }

  start(actor: string): void {
    if (!this.stoppedActors.delete(actor)) return;
    this.note("start", actor);
    for (const listener of this.listeners) listener(actor, true);
  }

  stopped(actor: string): boolean {
    return this.any && this.stoppedActors.has(actor);
  }

  /** Nothing passes between `a` and `b`, either way, until `heal`. */
  partition(a: string, b: string): void {
    this.note("partition", a, b);
    this.cuts.add(cutKey(a, b));
  }

  heal(a: string, b: string): void {
    if (this.cuts.delete(cutKey(a, b))) this.note("heal", a, b);
  }

  /** True if a message from `a` to `b` cannot arrive now. */
  blocked(a: string, b: string): boolean {
    if (!this.any) return false;
    return (
      this.stoppedActors.has(a) ||
      this.stoppedActors.has(b) ||
      this.cuts.has(cutKey(a, b))
    );
  }

  /** Every message to or from `actor` takes `extraMs` longer; 0 ends it. */
  slowDown(actor: string, extraMs: number): void {
    this.note("slow", actor, `${extraMs} ms`);
    if (extraMs > 0) this.slow.set(actor, extraMs);
    else this.slow.delete(actor);
  }

  /** Extra latency of a message between the two, in ms. */
  delayMs(a: string, b: string): number {
    if (!this.any) return 0;
    return (this.slow.get(a) ?? 0) + (this.slow.get(b) ?? 0);
  }

  private note(what: string, actor: string, other = ""): void {
    this.any = true;
    this.recorder.record("fault", "fault", `${what} ${actor}`, other);
  }
}

function cutKey(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
