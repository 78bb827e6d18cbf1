/**
 * `npm run bench -- [--json] [--only NAME]`: the budgets, measured. Each
 * benchmark is a module beside this file; one with a peer measures it in the
 * same run. Not timed tests: they run on their own, on a quiet machine.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What must hold, such as "≤ 100". */
  readonly budget: string;
  readonly ok: boolean;
  /** The same figure of the nearest relative, in the same run. */
  readonly peer?: number;
}

/** Benchmark → module that exports `measure(): Promise<Measure[]>`. */
const BENCHES: Readonly<Record<string, string>> = {
  "sim-core-gzip": "size.ts",
  "deployment-1000-pods": "deployment.ts",
  "node-110-pods": "node.ts",
  "cluster-150000-pods": "large-cluster.ts",
  "scheduler-5000-nodes": "scheduler.ts",
  "run-cold": "runtime.ts",
  "article-js-gzip": "page.ts",
};

/** Keeps a value within a bound: `atMost("x", 3, "s", 5)`. */
export function atMost(
  name: string,
  value: number,
  unit: string,
  most: number,
  peer?: number,
): Measure {
  return {
    name,
    value: round(value),
    unit,
    budget: `≤ ${most}`,
    ok: value <= most,
    peer: peer && round(peer),
  };
}

export function atLeast(name: string, value: number, unit: string, least: number): Measure {
  return { name, value: round(value), unit, budget: `≥ ${least}`, ok: value >= least };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function main(argv: readonly string[]): Promise<number> {
  const json = argv.includes("--json");
  const at = argv.indexOf("--only");
  const only = at < 0 ? undefined : argv[at + 1];
  const names = Object.keys(BENCHES).filter((name) => only === undefined || name === only);
  if (names.length === 0) {
    console.error(
      `There is no benchmark "${only}". There are: ${Object.keys(BENCHES).join(", ")}.`,
    );
    return 2;
  }
  const all: Measure[] = [];
  for (const name of names) {
    if (!json) console.log(`${name} …`);
    const module = await import(pathToFileURL(join(import.meta.dirname, BENCHES[name]!)).href);
    const measures: Measure[] = await module.measure();
    all.push(...measures);
    if (!json) for (const measure of measures) console.log(lineOf(measure));
  }
  if (json) console.log(JSON.stringify(all, null, 2));
  return all.every((measure) => measure.ok) ? 0 : 1;
}

function lineOf({ name, value, unit, budget, ok, peer }: Measure): string {
  const figures = `${value} ${unit} (budget ${budget} ${unit}${peer === undefined ? "" : `; peer ${peer} ${unit}`})`;
  return `  ${ok ? "ok  " : "MISS"} ${name.padEnd(28)} ${figures}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // No top-level await: the benchmarks import this file, which must have ended.
  main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
