/**
 * A command that runs in a container beside its program, as `exec` does.
 */
import type { ImageDefinition } from "./image.ts";
import { knowsCommand, runWords, type ShellWorld } from "./shell.ts";

export interface ExecResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** How long it takes. */
  readonly ms: number;
}

/** As code: there is no such program. */
export const NO_PROGRAM = 126;
const ENDLESS = 137;
const MS_MAX = 3_600_000;

/** Runs it to its end, at once. */
export function runBeside(
  { shell }: ImageDefinition,
  words: readonly string[],
  surroundings: ShellWorld,
): ExecResult {
  const out = { stdout: "", stderr: "" };
  const print: ShellWorld["print"] = (text, stream = "stdout") => {
    out[stream] += `${text}\n`;
  };
  if (!shell || !knowsCommand(words)) {
    return { ...out, code: shell ? 0 : NO_PROGRAM, ms: 0 };
  }
  const run = runWords(words, { ...surroundings, print });
  let ms = 0;
  for (;;) {
    const { done, value } = run.next();
    if (done) return { ...out, code: value, ms };
    ms += value;
    if (ms >= MS_MAX) return { ...out, code: ENDLESS, ms };
  }
}
