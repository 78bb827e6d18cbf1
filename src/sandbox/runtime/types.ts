/**
 * What a sandbox is to the rest of the site: a `SimRuntime` runs a program
 * (the simulator with the reader's edited files) and gives back a `Run`, a
 * stream of messages. Two back ends stand behind it, `worker` and
 * `webcontainer`; one contract test suite holds both.
 */
import type { Input, Problem, Row, Scenario } from "@shikumi/sim";

export type { Input, Problem, Row, Scenario };

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

export interface Program {
  /**
   * Edited files by path. Modules of the simulator by their path under
   * `sim/src` (`controllers/replicaset.ts`; a leading `sim/src/` is taken
   * off). Files that do not end in `.ts` play no part in a run.
   */
  readonly files: Readonly<Record<string, string>>;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly inputs: readonly Input[];
  /** Overrides of the default limits; they can only be lowered. */
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  /** Kernel steps. */
  readonly steps: number;
  /** Trace entries. */
  readonly entries: number;
  /** Wall time of the whole run, in ms. */
  readonly wallMs: number;
  /** A worker that says nothing for so long, in ms, is killed. */
  readonly silenceMs: number;
  /** Lines of the console that are kept; the rest is counted. */
  readonly consoleLines: number;
}

export const DEFAULT_LIMITS: Limits = {
  steps: 5_000_000,
  entries: 500_000,
  wallMs: 20_000,
  silenceMs: 1_000,
  consoleLines: 1_000,
};

export type BootStage =
  | "load" // the simulator's files are fetched
  | "frame" // the WebContainer's own frame is made
  | "start" // a worker starts, or the container boots
  | "mount" // files are written (webcontainer)
  | "ready";

export interface BootOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  onStage(stage: BootStage): void;
}

/** Why a back end could not start; the interface says it in words. */
export type BootFailure =
  | "aborted"
  | "timeout"
  | "not-isolated" // the page lacks COOP and COEP
  | "unsupported" // the browser lacks what is needed
  | "load-failed" // a file of the site could not be fetched
  | "blocked" // frame or worker refused by the browser or a policy
  | "service-failed"; // the WebContainer service answered with an error

export class BootError extends Error {
  readonly reason: BootFailure;
  /** Key of the sentence that says it: `sandbox.boot.<reason>`. */
  readonly key: string;

  constructor(reason: BootFailure, message: string = reason) {
    super(message);
    this.name = "BootError";
    this.reason = reason;
    this.key = `sandbox.boot.${reason}`;
  }
}

export type RunErrorKind =
  // Found before the run, in the reader's files.
  | "syntax"
  | "non-erasable"
  | "unknown-import"
  | "missing-export"
  | "cycle"
  | "dynamic-import"
  | "too-large"
  // Found while it runs.
  | "throw"
  | "stuck" // awaits something that is not the kernel's
  | "invariant" // the simulator's own assertion
  | "unresponsive" // an endless loop: killed
  | "memory"
  | "flood"
  | "protocol" // the run sent what it may not send: killed
  | "crashed" // the worker or the process ended by itself
  | "boot";

/** A place in a source file of the simulator; line and column from 1. */
export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

export interface RunError {
  readonly kind: RunErrorKind;
  /** Key of the sentence that says it: `sandbox.error.<kind>`. */
  readonly key: string;
  /** Values for the sentence. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The engine's or the simulator's own words, in English. Show as text. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly frames?: readonly Frame[];
  /** False if the run goes on: a component failed and will retry. */
  readonly fatal: boolean;
}

export type ConsoleLevel = "log" | "info" | "warn" | "error" | "debug";

/** quiet, idle: nothing more happens. time: the scenario's end. Else Stop, or a limit. */
export type EndReason = "quiet" | "idle" | "time" | "stopped" | "steps" | "entries" | "wall";

export interface RunResult {
  readonly reason: EndReason;
  readonly steps: number;
  /** Simulated time reached, in ms. */
  readonly atMs: number;
  readonly entries: number;
  /** Hash of the rows: equal runs have equal hashes, on every back end. */
  readonly hash: string;
  readonly wallMs: number;
}

export interface ConsoleLine {
  readonly level: ConsoleLevel;
  /** `kubectl`, or `code` for the reader's own `console.log`. */
  readonly from: string;
  readonly atMs: number;
  readonly text: string;
}

export type RunMessage =
  /** New trace entries, in order. */
  | { readonly type: "rows"; readonly rows: readonly Row[] }
  | { readonly type: "console"; readonly line: ConsoleLine }
  /** A mistake in the reader's manifest, with its place. */
  | { readonly type: "problem"; readonly problem: Problem }
  | {
      readonly type: "progress";
      readonly atMs: number;
      readonly steps: number;
      readonly entries: number;
    }
  | { readonly type: "error"; readonly error: RunError }
  | { readonly type: "result"; readonly result: RunResult };

/** What can be asked of a finished run. */
export type Question =
  /** One entry with its whole detail: a TraceEntry, or null. */
  | { readonly ask: "entry"; readonly id: number }
  /** Ids of the entry and its causes, newest first. */
  | { readonly ask: "why"; readonly id: number }
  /** The object after the last `write` of `subject` up to entry `atId`, or null. */
  | { readonly ask: "object"; readonly subject: string; readonly atId: number }
  /** Where in the source the entry was recorded: `Frame[]`, innermost first. */
  | { readonly ask: "stack"; readonly id: number };

/** Ends a run: with its result, or with the error that ended it. */
export type RunEnd =
  | { readonly ok: true; readonly result: RunResult }
  | { readonly ok: false; readonly error: RunError };

export interface Run extends AsyncIterable<RunMessage> {
  /** Asks the run to stop between two steps; kills it if it does not listen. */
  stop(): void;
  readonly end: Promise<RunEnd>;
  /** Answers from the finished run; re-runs the program if it was let go. */
  ask(question: Question): Promise<Json>;
  /** Lets the run's worker or process go. */
  dispose(): void;
}

export interface Terminal {
  /** Text from the shell, with its control sequences. */
  readonly output: ReadableStream<string>;
  write(text: string): void;
  resize(size: { cols: number; rows: number }): void;
  readonly exit: Promise<number>;
  kill(): void;
}

/** A run of the mounted package's own tests. */
export interface TestRun {
  readonly output: ReadableStream<string>;
  readonly exit: Promise<number>;
  kill(): void;
}

export interface SimRuntime {
  readonly kind: "worker" | "webcontainer";
  readonly can: {
    readonly terminal: boolean;
    readonly npmTest: boolean;
    readonly offline: boolean;
  };
  /** Starts the back end; safe to call twice. Rejects with `BootError`. */
  boot(options: BootOptions): Promise<void>;
  /** Runs a program; boots first if need be. Never throws. */
  run(program: Program): Run;
  test?(program: Program): Promise<TestRun>;
  shell?(size: { cols: number; rows: number }): Promise<Terminal>;
  dispose(): Promise<void>;
}

/** Builds an error of a run; `fatal` unless told. */
export function runError(
  kind: RunErrorKind,
  message: string,
  more: Partial<Omit<RunError, "kind" | "key" | "message">> = {},
): RunError {
  return { kind, key: `sandbox.error.${kind}`, params: {}, fatal: true, ...more, message };
}
