/**
 * What an author sets up for a lab, in `content/<part>/<lesson>/lab.ts`. Plain
 * data but for the checks, which watch behaviour: they get the rows of a run.
 */
import type { Input, Row, Scenario } from "@shikumi/sim";
import type { Lang } from "../site.ts";

export interface Lab {
  /** Name in the lesson and in links: `first`, `rank`. */
  readonly id: string;
  readonly title: Readonly<Record<Lang, string>>;
  /** One line under the figure, stating its idea as a sentence. */
  readonly caption: Readonly<Record<Lang, string>>;
  readonly scenario: Scenario;
  /** What the reader finds in the manifest editor. */
  readonly manifest: string;
  /** Manifest in Japanese, if its comments differ; the objects must not. */
  readonly manifestJa?: string;
  /** When the manifest is applied, in ms. Default 1,000. */
  readonly applyAtMs?: number;
  /** Files of sim/src that are open in the editor, the first one shown. */
  readonly files: readonly string[];
  readonly seed: number;
  /** What else is done at fixed moments. */
  readonly inputs?: readonly Input[];
  /** Tab that is open at first. Default `cluster`. */
  readonly show?: "cluster" | "steps" | "console";
  /** kubectl meets errors in this lab; they are what it shows. */
  readonly meetsErrors?: boolean;
  /** What the reader is to achieve by editing, in one or two sentences. */
  readonly task?: Readonly<Record<Lang, string>>;
  /** What must hold then; the start fails one, the solution passes all. */
  readonly checks?: readonly Check[];
}

export interface Check {
  readonly id: string;
  /** What must hold, as a sentence. */
  readonly says: Readonly<Record<Lang, string>>;
  /** Looks at one run. Returns what was seen and when, if it failed. */
  run(rows: readonly Row[]): CheckResult;
}

export interface CheckResult {
  readonly ok: boolean;
  /** What was seen, in both languages. */
  readonly seen?: Readonly<Record<Lang, string>>;
  readonly atMs?: number;
}

export const APPLY_AT_MS = 1_000;
/** Runs of a check in the page, each with its own seed; the tests make 20. */
export const CHECK_RUNS = 5;

/** Gives the object back; exists so that lab.ts files are typed. */
export function defineLabs(labs: readonly Lab[]): readonly Lab[] {
  return labs;
}

/** Every input of a run of the lab with this manifest, in order of time. */
export function inputsOf(lab: Pick<Lab, "applyAtMs" | "inputs">, manifest: string): Input[] {
  const atMs = lab.applyAtMs ?? APPLY_AT_MS;
  const apply: Input[] = manifest.trim() === "" ? [] : [{ atMs, do: "apply", yaml: manifest }];
  return [...apply, ...(lab.inputs ?? [])].sort((a, b) => a.atMs - b.atMs);
}
