/**
 * Runs one lab in a process of its own over a given copy of the simulator:
 * `node lab-runner.ts SIM_SRC LAB_TS LAB_ID SEEDS [MANIFEST]`, prints a Report as JSON.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Row } from "@shikumi/sim";
import { inputsOf, type Lab } from "../../src/sandbox/lab.ts";

const [sim = "", file = "", id = "", seeds = "1", edited] = process.argv.slice(2);
const { createSession, rowOf } = (await import(
  pathToFileURL(join(sim, "index.ts")).href
)) as typeof import("@shikumi/sim");
const { default: labs } = (await import(pathToFileURL(file).href)) as { default: readonly Lab[] };
const lab = labs.find((one) => one.id === id)!;
const manifest = edited ? readFileSync(edited, "utf8") : lab.manifest;

const passed: Record<string, number> = {};
const seen: string[] = [];
const errors: string[] = [];
let rowCount = 0;
for (let i = 0; i < Number(seeds); i++) {
  const seed = lab.seed + i;
  const session = createSession({
    seed,
    scenario: lab.scenario,
    inputs: inputsOf(lab, manifest),
    onOutput: ({ isError, text }) => isError && text && errors.push(text),
  });
  await session.run();
  const rows: Row[] = [];
  for (const entry of session.kernel.trace) rows.push(rowOf(entry));
  rowCount = rows.length;
  for (const check of lab.checks ?? []) {
    const result = check.run(rows);
    passed[check.id] = (passed[check.id] ?? 0) + (result.ok ? 1 : 0);
    if (!result.ok) seen.push(`${check.id}, seed ${seed}: ${result.seen?.en ?? "failed"}`);
  }
}
console.log(JSON.stringify({ passed, rows: rowCount, errors, seen }));
