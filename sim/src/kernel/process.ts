/**
 * A process: one running `async` function of a component, such as one
 * reconcile or one pod worker. The kernel counts what it waits for.
 */
export class Process {
  readonly actor: string;
  /** Trace entry under which the process works; it may set it itself. */
  causeId: number;
  ended = false;
  /** Kernel promises that it has begun to wait for, ever. */
  waitsBegun = 0;
  /** Kernel promises that it waits for now. */
  waiting = 0;
  /** What it does, for messages: `reconcile default/web`. */
  doing = "";

  constructor(actor: string, causeId: number) {
    this.actor = actor;
    this.causeId = causeId;
  }

  beginWait(): void {
    this.waitsBegun++;
    this.waiting++;
  }

  endWait(): void {
    this.waiting--;
  }

  end(): void {
    this.ended = true;
  }
}

/** A process awaits something that is not the kernel's, or runs for ever. */
export class StuckError extends Error {
  readonly actor: string;
  readonly atMs: number;

  constructor(process: Process, atMs: number) {
    super(
      `${process.actor}${process.doing ? ` (${process.doing})` : ""} waits ` +
        "for a promise that nothing in the simulation will ever settle",
    );
    this.name = "StuckError";
    this.actor = process.actor;
    this.atMs = atMs;
  }
}
