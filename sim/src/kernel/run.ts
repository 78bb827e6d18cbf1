/** Where one call of the kernel's `run` stands, between its microtasks. */
import type { RunOptions } from "./options.ts";
import type { Process } from "./process.ts";

export class Run {
  readonly untilMs: number;
  readonly maxSteps: number;
  readonly yieldEvery: number;
  readonly stopWhen: (() => boolean) | undefined;
  readonly onYield: (() => Promise<void>) | undefined;
  /** Steps run so far. */
  steps = 0;
  /** A step has run, and what follows a step has not. */
  inStep = false;
  /** The process that was woken last. */
  process: Process | null = null;
  /** How often it had begun to wait when that was looked at last. */
  waits = 0;
  /** Microtasks since it was woken, and at how many it is left. */
  tick = 0;
  tickMax = 0;

  constructor(options: RunOptions) {
    this.untilMs = options.untilMs ?? Number.POSITIVE_INFINITY;
    this.maxSteps = options.maxSteps ?? Number.POSITIVE_INFINITY;
    this.yieldEvery = options.yieldEvery ?? 2000;
    this.stopWhen = options.stopWhen;
    this.onYield = options.onYield;
  }
}
