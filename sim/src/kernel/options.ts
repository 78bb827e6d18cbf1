/** What a host may ask of a kernel, and what it is told. */
import type { TraceLevel } from "./trace.ts";

/** What a kernel starts from; default: seed 1, a full trace, `DEFAULT_EPOCH`. */
export interface KernelOptions {
  seed?: string | number;
  trace?: TraceLevel;
  /** RFC 3339 moment of simulated time 0. */
  epoch?: string;
}

/** How far `Kernel.run` goes. */
export interface RunOptions {
  /** Stop before the first step later than this, in ms. */
  untilMs?: number;
  /** Stop after so many steps; throws nothing, see `RunResult.reason`. */
  maxSteps?: number;
  /** Asked after each step; true ends the run. */
  stopWhen?: () => boolean;
  /** Awaited after every `yieldEvery` steps, so that a host can breathe. */
  onYield?: () => Promise<void>;
  yieldEvery?: number;
}

/** Why `Kernel.run` came back, and the steps it took. idle: there are none left. */
export interface RunResult {
  reason: "idle" | "time" | "steps" | "stopped";
  steps: number;
}

/** A scheduled step that can be taken back. */
export interface Timer {
  cancel(): void;
}

/** 2026-01-01T00:00:00Z: where simulated time begins unless told. */
export const DEFAULT_EPOCH = "2026-01-01T00:00:00Z";
