/** Runs of a lab on seeds one after another, and what its checks saw. */
import type { createSession, Row, rowOf } from "@shikumi/sim";
import { inputsOf, type Lab } from "../../src/sandbox/lab.ts";

export interface Report {
  /** By check: seeds that passed. */
  readonly passed: Readonly<Record<string, number>>;
  /** Of the last run. */
  readonly rows: number;
  readonly errors: readonly string[];
  readonly seen: readonly string[];
}

export interface RunsOptions {
  readonly sim: { readonly createSession: typeof createSession; readonly rowOf: typeof rowOf };
  readonly lab: Lab;
  /** Instead of the lab's own. */
  readonly manifest?: string;
  /** At most. */
  readonly seeds: number;
  /** The first seed that fails a check is the last. */
  readonly untilFailure?: boolean;
}

export async function runsOf(options: RunsOptions): Promise<Report> {
  const { sim, lab, manifest = lab.manifest, seeds, untilFailure } = options;
  const passed: Record<string, number> = {};
  const seen: string[] = [];
  const errors: string[] = [];
  let rows: Row[] = [];
  for (let seed = lab.seed; seed < lab.seed + seeds; seed++) {
    const session = sim.createSession({
      seed,
      scenario: lab.scenario,
      inputs: inputsOf(lab, manifest),
      onOutput: ({ isError, text }) => isError && text && errors.push(text),
    });
    await session.run();
    rows = Array.from(session.kernel.trace, (entry) => sim.rowOf(entry));
    for (const check of lab.checks ?? []) {
      const result = check.run(rows);
      passed[check.id] = (passed[check.id] ?? 0) + (result.ok ? 1 : 0);
      if (!result.ok) seen.push(`${check.id}, seed ${seed}: ${result.seen?.en ?? "failed"}`);
    }
    if (untilFailure && seen.length > 0) break;
  }
  return { passed, rows: rows.length, errors, seen };
}
