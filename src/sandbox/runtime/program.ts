/**
 * What a back end needs of the simulator's entry module (`sim/src/index.ts`).
 * The entry may be the reader's edited one, so nothing here is trusted to be
 * there; `asEntry` reports what is missing.
 */
import type { TraceEntry } from "@shikumi/sim";
import type { Input, Problem, Row, Scenario } from "./types.ts";

export interface SimEntry {
  createSession(options: {
    readonly seed: number;
    readonly scenario: Scenario;
    readonly inputs: readonly Input[];
    readonly onOutput: (line: OutputLine) => void;
  }): SimSession;
  /** A trace entry as a page receives it. */
  rowOf(entry: TraceEntry): Row;
}

export interface OutputLine {
  readonly atMs: number;
  readonly from: string;
  readonly text: string;
  readonly isError: boolean;
  readonly problem?: Problem;
}

export interface SimSession {
  readonly kernel: {
    readonly steps: number;
    now(): number;
    readonly trace: SimTrace;
  };
  run(options: {
    readonly maxSteps: number;
    readonly stopWhen: () => boolean;
    readonly onYield: () => Promise<void>;
  }): Promise<"quiet" | "idle" | "time" | "steps" | "stopped">;
}

export interface SimTrace {
  readonly length: number;
  readonly lastId: number;
  /** While entry `stackAt` is recorded, the call stack is put in `stack`. */
  stackAt: number;
  readonly stack: string;
  at(index: number): TraceEntry;
  get(id: number): TraceEntry | undefined;
  why(id: number): TraceEntry[];
}

/** `namespace` as an entry; throws a TypeError that names what it lacks. */
export function asEntry(namespace: object, path: string): SimEntry {
  const entry = namespace as SimEntry;
  for (const name of ["createSession", "rowOf"] as const) {
    if (typeof entry[name] === "function") continue;
    throw new TypeError(`${path} exports no function ${name}`);
  }
  return entry;
}
