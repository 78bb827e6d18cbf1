/** What the kernel hands to a process when its turn comes. */
import type { Process } from "./process.ts";

export interface Wake {
  readonly process: Process | null;
  /** The trace entry under which it goes on, if it was waiting. */
  readonly causeId: number;
  /** True if the process was waiting, and not only being started. */
  readonly waited: boolean;
  deliver(): void;
}

/** The first run of a process. */
export class Begin implements Wake {
  readonly process: Process;
  readonly causeId = 0;
  readonly waited = false;
  readonly deliver: () => void;

  constructor(process: Process, deliver: () => void) {
    this.process = process;
    this.deliver = deliver;
  }
}

/** A promise of the kernel's; it settles when `deliver` is called. */
export class Wait<T> implements Wake {
  readonly process: Process | null;
  readonly causeId: number;
  readonly waited = true;
  readonly promise: Promise<T>;
  private resolve!: (value: T) => void;
  private reject!: (error: unknown) => void;
  private outcome: { value: T } | { error: unknown } | null = null;

  constructor(process: Process | null, causeId: number) {
    this.process = process;
    this.causeId = causeId;
    this.promise = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** As with any promise only the first outcome counts: false for others. */
  settle(outcome: { value: T } | { error: unknown }): boolean {
    if (this.outcome) return false;
    this.outcome = outcome;
    return true;
  }

  deliver(): void {
    const { outcome } = this;
    if (!outcome) return;
    if ("value" in outcome) this.resolve(outcome.value);
    else this.reject(outcome.error);
  }
}
