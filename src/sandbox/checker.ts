/**
 * A lab's checks over several seeds: they watch what the cluster does, never
 * what the source says, and tell the first thing that was seen to go wrong.
 */
import type { Row } from "@shikumi/sim";
import { CHECK_RUNS, type Check, type CheckResult } from "./lab.ts";

export interface Verdict {
  readonly check: Check;
  /** Runs that it passed, of those made so far. */
  readonly passed: number;
  readonly runs: number;
  /** The first failure, and the seed that shows it. */
  readonly failure?: CheckResult & { readonly seed: number };
}

/**
 * Runs the checks on `firstSeed`, `firstSeed + 1` …; `runOne` gives the rows
 * of a run, or null if it ended in an error, which ends the checking.
 */
export async function runChecks(
  checks: readonly Check[],
  firstSeed: number,
  runOne: (seed: number) => Promise<readonly Row[] | null>,
  onProgress: (verdicts: readonly Verdict[]) => void,
  runs = CHECK_RUNS,
): Promise<readonly Verdict[]> {
  let verdicts: readonly Verdict[] = checks.map((check) => ({ check, passed: 0, runs: 0 }));
  for (let i = 0; i < runs; i++) {
    const seed = firstSeed + i;
    const rows = await runOne(seed);
    if (!rows) return verdicts;
    verdicts = verdicts.map((verdict) => judge(verdict, rows, seed));
    onProgress(verdicts);
  }
  return verdicts;
}

function judge(verdict: Verdict, rows: readonly Row[], seed: number): Verdict {
  const result = verdict.check.run(rows);
  const failure = verdict.failure ?? (result.ok ? undefined : { ...result, seed });
  return {
    ...verdict,
    runs: verdict.runs + 1,
    passed: verdict.passed + (result.ok ? 1 : 0),
    failure,
  };
}
