/**
 * npm run vectors -- --dir DIR [--json] [--only BEHAVIOUR]
 *
 * Replays every recorded file in DIR and below (formats:
 * test/vectors/FORMAT.md) and prints `behaviour passed/total` a line, with
 * the cases that missed. Exit code 1 if one missed.
 * `--json` prints one array: [{ behaviour, file, passed, total, failures }],
 * `failures` being the names of the cases, `details` what they came to.
 */
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Report } from "../test/vectors-harness/index.ts";
import { findVectors, replayFile } from "../test/vectors-harness/index.ts";

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: "test/vectors" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const dir = resolve(values.dir);
if (!existsSync(dir)) {
  console.error(`vectors: there is no folder ${values.dir}`);
  process.exit(2);
}

const reports: Report[] = [];
for (const file of findVectors(dir)) {
  if (values.only && file.behaviour !== values.only) continue;
  const report = await replayFile(file);
  reports.push(report);
  if (!values.json) printReport(report);
}

if (values.json) console.log(JSON.stringify(reports.map(jsonOf), null, 2));
else printSummary(reports);
process.exitCode = reports.some(isMiss) ? 1 : 0;

function isMiss(report: Report): boolean {
  return report.state === "broken" || report.failures.length > 0;
}

function jsonOf(report: Report) {
  const { behaviour, file, passed, total, failures, state, reason } = report;
  const names = failures.map((failure) => failure.case);
  const path = relative(dir, file);
  return {
    behaviour,
    file: path,
    passed,
    total,
    failures: names,
    state,
    reason,
    details: failures,
  };
}

function printReport(report: Report): void {
  const { behaviour, passed, total, failures, state, reason } = report;
  if (state === "cannot-replay") return;
  if (state === "broken") console.log(`${behaviour} 0/${total}: ${reason}`);
  else console.log(`${behaviour} ${passed}/${total}`);
  for (const failure of failures) {
    console.log(`  missed: ${failure.case}`);
    console.log(`    expected ${short(failure.expected)}`);
    console.log(`    actual   ${short(failure.actual)}`);
  }
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}

function printSummary(all: readonly Report[]): void {
  const left = all.filter((report) => report.state === "cannot-replay");
  if (left.length > 0) {
    const names = [...new Set(left.map((report) => report.behaviour))];
    console.log(`cannot replay yet (not counted): ${names.join(", ")}`);
  }
  const replayed = all.filter((report) => report.state !== "cannot-replay");
  const passed = replayed.reduce((sum, report) => sum + report.passed, 0);
  const total = replayed.reduce((sum, report) => sum + report.total, 0);
  console.log(`${passed} of ${total} passed`);
}
