/**
 * The help of a command: what it does, what is below it, its flags, its usage.
 * Models:     kubectl/pkg/util/templates/templater.go @ v1.36
 * Leaves out: examples.
 */
import { flagWords } from "./flag-words.ts";

export interface CommandText {
  /** `rollout undo`. */
  readonly path: string;
  readonly short: string;
  /** What follows the path. */
  readonly usage: string;
  /** `A,all-namespaces=false chunk-size=500`. */
  readonly flags?: string;
  /** Names of the commands below it. */
  readonly below?: string;
  readonly aliases?: string;
}

const MORE =
  'Use "kubectl options" for a list of global command-line options (applies to all commands).';

export function helpText(
  command: CommandText,
  all: readonly CommandText[],
): string {
  const { path, short, usage, flags, below, aliases } = command;
  const parts = [`${short}.`];
  if (aliases) parts.push(`Aliases:\n${aliases}`);
  if (below) {
    const names = below
      .split(" ")
      .filter((name) => find(`${path} ${name}`, all));
    const lines = columns(names, (name) => find(`${path} ${name}`, all)!.short);
    parts.push(`Available Commands:\n${lines}`);
  }
  if (flags) parts.push(`Options:\n${optionsText(flags)}`);
  const end = below
    ? `Use "kubectl ${path} <command> --help" for more information about a given command.\n${MORE}`
    : MORE;
  parts.push(`Usage:\n  kubectl ${path} ${usage}`, end);
  return parts.join("\n\n");
}

export function find(
  path: string,
  all: readonly CommandText[],
): CommandText | undefined {
  return all.find((one) => one.path === path);
}

/** Names and what they stand for, in two columns. */
export function columns(
  names: readonly string[],
  text: (name: string) => string,
): string {
  const width = Math.max(11, ...names.map(({ length }) => length));
  return names.map((one) => `  ${one.padEnd(width)}   ${text(one)}`).join("\n");
}

/** `    -A, --all-namespaces=false:` and below it what the flag does. */
export function optionsText(flags: string): string {
  return flags
    .split(" ")
    .map((flag) => {
      const [head = "", value = ""] = flag.split(/=(.*)/s);
      const [first = "", second] = head.split(",");
      const name = second ?? first;
      const short = second === undefined ? "" : `-${first}, `;
      const words = flagWords(name);
      const line = `    ${short}--${name}=${value}:`;
      return words ? `${line}\n\t${words}` : line;
    })
    .join("\n\n");
}
