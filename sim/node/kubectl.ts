/**
 * `shikumi kubectl`: commands against a fresh simulated cluster, one after
 * another in cluster time: `shikumi kubectl -f web.yaml -- get pods`.
 */
import { readFileSync } from "node:fs";
import { type CrictlInput, createSession, type Input, type KubectlInput } from "../src/index.ts";
import { durationMs, type Flags, readFlags, UsageError } from "./args.ts";
import { openEditor } from "./editor.ts";

const FLAGS = { f: true, nodes: true, seed: true, after: true };
/** The cluster's nodes have registered by then. */
const READY_MS = 1_000;

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const command = commandIn(flags);
  if (command.length === 0)
    throw new UsageError("kubectl needs a command: shikumi kubectl -- get nodes");
  const line = lineOf(command);
  const stdin = command.includes("-") ? readText("-") : undefined;
  return runInput(flags, { do: "kubectl", line, stdin });
}

/** The words after `--`, or else those that are no flags. */
export function commandIn({ rest, words }: Flags): readonly string[] {
  return rest.length > 0 ? rest : words;
}

/** One line, so that the session's own reader of lines gives the words back. */
export function lineOf(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

type Typed = Omit<KubectlInput, "atMs"> | Omit<CrictlInput, "atMs">;

/** Gives it to a fresh cluster in which the manifests of `-f` were applied. */
export async function runInput(flags: Flags, typed: Typed): Promise<number> {
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
    inputs: [...applied, { atMs, ...typed }],
    editor: openEditor,
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

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function quoted(word: string): string {
  if (/^[^\s"']+$/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}
