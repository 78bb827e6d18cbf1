/**
 * `npm run simulate -- --seeds N`: runs N seeds of workload and faults, from `--first` (default 1), and
 * checks the laws of test/simulation after every write. Exit 1 if one broke.
 * `--seed S` runs one; `--until T` stops it after T simulated seconds and prints what happened last.
 * `--narrow` takes the plans as they were before they got budgets, volumes, long faults and the like.
 */
import { parseArgs } from "node:util";
import { rowOf, type Session } from "../sim/src/index.ts";
import { planOf } from "../test/simulation/plan.ts";
import { type Outcome, simulate } from "../test/simulation/run.ts";

/** Entries that a replay prints. */
const LAST = 60;

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    first: { type: "string", default: "1" },
    seed: { type: "string" },
    until: { type: "string" },
    narrow: { type: "boolean", default: false },
  },
});

const { narrow } = values;
if (values.seed !== undefined) await replay(Number(values.seed));
else await runAll(Number(values.first), Number(values.seeds ?? 100));

async function runAll(first: number, count: number): Promise<void> {
  const startedMs = performance.now();
  const failed: number[] = [];
  const converged: number[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed, { narrow });
    if (outcome.failure) failed.push(seed);
    else converged.push(outcome.convergedMs ?? 0);
    if (outcome.failure) tell(outcome);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const slowest = Math.max(0, ...converged) / 1000;
  console.log(
    `${count - failed.length} passed, ${failed.length} failed, in ${seconds.toFixed(1)} s; ` +
      `converged within ${slowest.toFixed(0)} s of the last fault`,
  );
  if (failed.length > 0) console.log(`failed seeds: ${failed.join(" ")}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

async function replay(seed: number): Promise<void> {
  const { scenario, inputs } = planOf(seed, narrow);
  console.log(JSON.stringify(scenario));
  for (const { atMs, ...input } of inputs) console.log(atMs, JSON.stringify(input).slice(0, 160));
  const untilMs = values.until === undefined ? undefined : Number(values.until) * 1000;
  let session: Session | undefined;
  const outcome = await simulate(seed, {
    ...{ untilMs, narrow, trace: "full" },
    onSession: (made) => {
      session = made;
    },
  });
  const { trace } = session!.kernel;
  for (let i = Math.max(0, trace.length - LAST); i < trace.length; i++) {
    const { atMs, actor, verb, subject, target } = rowOf(trace.at(i));
    console.log(
      `${(atMs / 1000).toFixed(4)} ${actor} ${verb} ${subject}${target && ` → ${target}`}`,
    );
  }
  console.log(outcome);
  if (outcome.failure) tell(outcome);
  process.exitCode = outcome.failure ? 1 : 0;
}

function tell({ seed, failure }: Outcome): void {
  const { atMs, message } = failure!;
  const until = Math.ceil(atMs / 1000);
  console.log(`seed ${seed} at ${(atMs / 1000).toFixed(3)} s: ${message}`);
  console.log(`  npm run simulate -- --seed ${seed} --until ${until}${narrow ? " --narrow" : ""}`);
}
