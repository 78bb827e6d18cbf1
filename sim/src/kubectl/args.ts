/**
 * Flags as kubectl reads them: `-f x`, `-fx`, `--flag=x`, `--flag x`.
 * Models:     spf13/pflag, as kubectl uses it
 */
import { CommandError } from "./environment.ts";

/** How a flag is read: with a value, or alone (then `=false` turns it off). */
export type FlagKind = "value" | "switch";

export interface Args {
  /** Words that are no flags. */
  readonly words: readonly string[];
  /** Last value of a flag. */
  get(name: string): string | undefined;
  /** All values of a flag, in order. */
  all(name: string): readonly string[];
  on(name: string): boolean;
}

export interface FlagTable {
  /** By long name. */
  readonly [name: string]: { kind: FlagKind; short?: string };
}

/** Flags that every command takes. */
const COMMON: FlagTable = {
  namespace: { kind: "value", short: "n" },
};

/** Throws CommandError in kubectl's words on a flag that is not known. */
export function parseArgs(argv: readonly string[], table: FlagTable): Args {
  const known = { ...COMMON, ...table };
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith("-") || word === "-") words.push(word);
    else {
      const flag = readFlag(word, known);
      const alone = known[flag.name]!.kind === "switch";
      const value = flag.value ?? (alone ? "true" : argv[++i]);
      if (value === undefined) {
        throw new CommandError(`flag needs an argument: ${word}`);
      }
      values.set(flag.name, [...(values.get(flag.name) ?? []), value]);
    }
  }
  const all = (name: string) => values.get(name) ?? [];
  return {
    words,
    all,
    get: (name) => all(name).at(-1),
    on: (name) => (all(name).at(-1) ?? "false") === "true",
  };
}

function readFlag(
  word: string,
  known: FlagTable,
): { name: string; value?: string } {
  if (word.startsWith("--")) {
    const [name = "", value] = word.slice(2).split(/=(.*)/s);
    if (known[name]) return { name, value };
    throw new CommandError(`unknown flag: --${name}`);
  }
  const short = word[1]!;
  const found = Object.keys(known).find((name) => known[name]?.short === short);
  if (!found) {
    throw new CommandError(`unknown shorthand flag: '${short}' in ${word}`);
  }
  const rest = word.slice(2).replace(/^=/, "");
  return { name: found, value: rest === "" ? undefined : rest };
}
