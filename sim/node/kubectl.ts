/**
 * `shikumi kubectl`: commands against a fresh simulated cluster, one after
 * another in cluster time: `shikumi kubectl -f web.yaml -- get pods`.
 */
import { readFileSync } from "node:fs";
import { createSession, type Input } from "../src/index.ts";
import { durationMs, readFlags, UsageError } from "./args.ts";

const FLAGS = { f: true, nodes: true, seed: true, after: true };
/** The cluster's nodes have registered by then. */
const READY_MS = 1_000;

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const command = flags.rest.length > 0 ? flags.rest : flags.words;
  if (command.length === 0)
    throw new UsageError("kubectl needs a command: shikumi kubectl -- get nodes");
  const applied = flags
    .all("f")
    .map((file): Input => ({ atMs: READY_MS, do: "apply", yaml: readText(file) }));
  // What was applied has time to settle before the command looks.
  const afterMs = flags.one("after")
    ? durationMs(flags.one("after")!)
    : applied.length > 0
      ? 30_000
      : 0;
  const atMs = READY_MS + afterMs;
  let failed = false;
  const session = createSession({
    seed: flags.number("seed", 1),
    trace: "off",
    scenario: { nodes: flags.number("nodes", 3), untilMs: atMs + 60_000 },
    inputs: [
      ...applied,
      { atMs, do: "kubectl", line: command.map(quoted).join(" "), stdin: stdinFor(command) },
    ],
    onOutput: ({ text, isError }) => {
      if (text === "") return;
      failed ||= isError;
      if (isError) console.error(text);
      else console.log(text);
    },
  });
  await session.run();
  return failed ? 1 : 0;
}

function stdinFor(command: readonly string[]): string | undefined {
  return command.includes("-") ? readText("-") : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** A word so that the session's own reader of lines gives it back. */
function quoted(word: string): string {
  if (/^[^\s"']+$/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
