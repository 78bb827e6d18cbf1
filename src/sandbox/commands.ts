/**
 * kubectl commands that the reader adds to a run: each is an input with its
 * moment, so the run is made anew with it, and is the same again each time.
 */
import type { KubectlInput } from "@shikumi/sim";

/** What is kept of one, in storage and in links. */
export type Command = Pick<KubectlInput, "atMs" | "line">;

const COMMANDS_MAX = 50;
const LINE_MAX = 1_000;
/** A day; no lab runs that long. */
const AT_MS_MAX = 86_400_000;

/** As inputs of a run. */
export function commandInputs(commands: readonly Command[]): KubectlInput[] {
  return commands.map((command) => ({ ...command, do: "kubectl" }));
}

/** With one more, in order of time; the same list if there is no room. */
export function withCommand(commands: readonly Command[], command: Command): readonly Command[] {
  if (commands.length >= COMMANDS_MAX) return commands;
  return [...commands, command].sort((a, b) => a.atMs - b.atMs);
}

/** A line as typed; the word `kubectl` may stand before it. */
export function lineOf(typed: string): string {
  return typed
    .trim()
    .replace(/^(?:\$\s*)?kubectl(?:\s+|$)/, "")
    .slice(0, LINE_MAX);
}

/** What an input of a run looks like at a prompt; undefined: it is not typed anywhere. */
export function typedIn(subject: string): { place: string; echo: string } | undefined {
  if (/^(kubectl|crictl) /.test(subject)) return { place: "", echo: subject };
  const [, place, to = ""] = /^(.+) connects to (.+)$/.exec(subject) ?? [];
  if (!place) return undefined;
  const tool = /:\d+/.test(to) ? "curl" : "ping";
  return { place, echo: `${tool} ${to.replace(/^(pod|node) /, "")}` };
}

/** Those that are sound, of what a link or the storage holds. */
export function soundCommands(value: unknown): readonly Command[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, COMMANDS_MAX).flatMap((one) => {
    const { atMs, line } = Object(one) as { atMs?: unknown; line?: unknown };
    const timely = typeof atMs === "number" && atMs >= 0 && atMs <= AT_MS_MAX;
    const sound = timely && typeof line === "string" && line !== "" && line.length <= LINE_MAX;
    return sound ? [{ atMs, line }] : [];
  });
}
