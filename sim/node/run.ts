/** `shikumi run`: applies manifests, prints what happened, checks the end. */
import { readFileSync, writeFileSync } from "node:fs";
import {
  createSession,
  type Input,
  objectsAt,
  type Row,
  rowOf,
  type Session,
} from "../src/index.ts";
import { durationMs, readFlags, UsageError } from "./args.ts";
import { unmet } from "./expect.ts";
import { formatRow, newsFilter } from "./format.ts";

const FLAGS = {
  f: true,
  nodes: true,
  seed: true,
  for: true,
  expect: true,
  trace: true,
  all: false,
};
/** Manifests are applied once the nodes have registered. */
const APPLY_AT_MS = 1_000;

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const files = [...flags.all("f"), ...flags.words];
  if (files.length === 0) throw new UsageError("run needs a manifest: shikumi run -f FILE");
  const expected = flags.one("expect");
  if (expected !== undefined && expected !== "available") {
    throw new UsageError(`--expect takes "available", not "${expected}".`);
  }
  const inputs = files.map(
    (file): Input => ({ atMs: APPLY_AT_MS, do: "apply", yaml: readText(file) }),
  );
  const lines: string[] = [];
  let failed = false;
  const session = createSession({
    seed: flags.number("seed", 1),
    scenario: {
      nodes: flags.number("nodes", 3),
      untilMs: APPLY_AT_MS + durationMs(flags.one("for") ?? "60s"),
    },
    inputs,
    onOutput: ({ text, isError }) => {
      failed ||= isError;
      lines.push(text);
    },
  });
  const rows = printSteps(session, flags.has("all"));
  const reason = await session.run();
  const out = flags.one("trace");
  if (out) writeFileSync(out, traceText(rows));
  return report(rows, lines, { failed, expected, reason, atMs: session.kernel.now() });
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Prints each step when it happens; returns the rows that it fills. */
function printSteps(session: Session, all: boolean): Row[] {
  const rows: Row[] = [];
  const isNews = newsFilter();
  const { trace } = session.kernel;
  trace.onEntry = (id) => {
    const row = rowOf(trace.get(id)!);
    rows.push(row);
    if (all || isNews(row)) console.log(formatRow(row));
  };
  return rows;
}

/** One row a line, so that two runs can be compared with diff. */
function traceText(rows: readonly Row[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
}

interface Ending {
  failed: boolean;
  expected: string | undefined;
  reason: string;
  atMs: number;
}

function report(rows: readonly Row[], lines: readonly string[], ending: Ending): number {
  const objects = objectsAt(rows, Number.MAX_SAFE_INTEGER);
  const pods = [...objects.values()].filter((object) => object.kind === "Pod");
  console.log(`\n${lines.join("\n")}`);
  for (const object of objects.values()) {
    if (!object.counts) continue;
    const [wanted, , updated, ready, available] = object.counts;
    console.log(
      `${object.kind} ${object.namespace}/${object.name}: ${wanted} wanted, ${updated} updated, ${ready} ready, ${available} available`,
    );
  }
  for (const pod of pods) {
    console.log(
      `Pod ${pod.namespace}/${pod.name}: ${pod.status}${pod.ready ? ", ready" : ""}${pod.node ? ` on ${pod.node}` : ""}`,
    );
  }
  console.log(
    `Ended (${ending.reason}) after ${(ending.atMs / 1000).toFixed(3)} s of cluster time.`,
  );
  if (ending.failed) {
    console.error("Not everything could be applied: see above.");
    return 1;
  }
  const missing = ending.expected ? unmet(objects.values()) : [];
  for (const line of missing) console.error(`Not reached: ${line}`);
  return missing.length > 0 ? 1 : 0;
}
