/** The command line's flags, and the commands that there are. */
export interface Command {
  /** Resolves to the exit code. */
  run(argv: string[]): Promise<number>;
}

/** What was typed cannot be understood: printed without a stack, exit 2. */
export class UsageError extends Error {}

const COMMANDS: Record<string, () => Promise<Command>> = {
  run: () => import("./run.ts"),
  kubectl: () => import("./kubectl.ts"),
  crictl: () => import("./crictl.ts"),
  serve: () => import("./serve.ts"),
  controller: () => import("./controller.ts"),
};

export function commandOf(name: string): (() => Promise<Command>) | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

export interface Flags {
  /** Values of a flag, in order; empty if it was not given. */
  all(name: string): string[];
  one(name: string): string | undefined;
  has(name: string): boolean;
  /** A whole number; throws UsageError on another value. */
  number(name: string, byDefault: number): number;
  /** Words that are no flags. */
  readonly words: readonly string[];
  /** What follows `--`. */
  readonly rest: readonly string[];
}

/**
 * `flags`: name → takes a value (true) or stands alone (false). Short forms
 * are listed like the others (`f`). Throws UsageError on an unknown one.
 */
export function readFlags(
  argv: readonly string[],
  flags: Readonly<Record<string, boolean>>,
): Flags {
  const values = new Map<string, string[]>();
  const words: string[] = [];
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  for (let i = 0; i < own.length; i++) {
    const word = own[i]!;
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const [name = "", inline] = word.replace(/^--?/, "").split(/=(.*)/s);
    const takesValue = flags[name];
    if (takesValue === undefined) {
      throw new UsageError(
        `there is no flag ${word}. There are: ${Object.keys(flags).map(dashed).join(", ")}.`,
      );
    }
    const value = takesValue ? (inline ?? own[++i]) : "true";
    if (value === undefined) throw new UsageError(`${word} needs a value.`);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return {
    all: (name) => values.get(name) ?? [],
    one: (name) => values.get(name)?.at(-1),
    has: (name) => values.has(name),
    number: (name, byDefault) => wholeNumber(name, values.get(name)?.at(-1), byDefault),
    words,
    rest: end < 0 ? [] : argv.slice(end + 1),
  };
}

function wholeNumber(name: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** `60s`, `1500ms`, `2m`, `1m30s` in ms. Throws UsageError on another form. */
export function durationMs(text: string): number {
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) {
    throw new UsageError(`"${text}" is no duration. Write 60s, 1500ms or 2m.`);
  }
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
}
