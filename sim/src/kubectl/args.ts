/**
 * Flags as kubectl reads them: `-f x`, `-fx`, `-it`, `--flag=x`, `--flag x`,
 * and everything after `--` as it is.
 * Models:     spf13/pflag, as kubectl uses it
 */
import { UsageError } from "./environment.ts";

/**
 * How a flag is read: with a value; alone (then `=false` turns it off); or
 * alone with a meaning that `=` may change (`--dry-run`).
 */
export type FlagKind = "value" | "switch" | { readonly alone: string };

export interface Args {
  /** Words that are no flags, up to `--`. */
  readonly words: readonly string[];
  /** Words after `--`. */
  readonly rest: readonly string[];
  /** Last value of a flag. */
  get(name: string): string | undefined;
  /** All values of a flag, in order. */
  all(name: string): readonly string[];
  /** All values, split at commas. */
  list(name: string): readonly string[];
  /** A whole number; throws UsageError in kubectl's words. */
  int(name: string): number | undefined;
  on(name: string): boolean;
}

export interface FlagTable {
  /** By long name. */
  readonly [name: string]: { kind: FlagKind; short?: string };
}

const value: FlagKind = "value";
const flag: FlagKind = "switch";

/** How the namespace of the kubeconfig's context is handed on. */
export const CONTEXT_NAMESPACE = "context-namespace";

/** Flags that every command takes. */
const COMMON: FlagTable = {
  namespace: { kind: value, short: "n" },
  [CONTEXT_NAMESPACE]: { kind: value },
  server: { kind: value, short: "s" },
  v: { kind: value, short: "v" },
  // Whom to act as: see connection.ts.
  ...valued("as as-uid as-group as-user-extra request-timeout"),
  ...valued("context cluster user token kubeconfig kuberc cache-dir"),
  ...valued("certificate-authority client-certificate client-key"),
  ...valued("tls-server-name username password vmodule log-flush-frequency"),
  ...valued("profile-output"),
  "insecure-skip-tls-verify": { kind: flag },
  "disable-compression": { kind: flag },
  "match-server-version": { kind: flag },
  "warnings-as-errors": { kind: flag },
};

function valued(names: string): FlagTable {
  const all = names.split(" ").map((name) => [name, { kind: value }] as const);
  return Object.fromEntries(all);
}

/** `-n`, `--as`: these take the next word as their value. */
export function isCommonFlag(word: string | undefined): boolean {
  return Object.entries(COMMON).some(
    ([name, { kind, short }]) =>
      kind === value && (word === `--${name}` || word === `-${short}`),
  );
}

/** Which objects: by file, by label, in which namespaces. */
export const SELECT: FlagTable = {
  filename: { kind: value, short: "f" },
  kustomize: { kind: value, short: "k" },
  recursive: { kind: flag, short: "R" },
  selector: { kind: value, short: "l" },
  "field-selector": { kind: value },
  "all-namespaces": { kind: flag, short: "A" },
  all: { kind: flag },
};

/** What is printed of an object, and whether anything is really done. */
export const OUTPUT: FlagTable = {
  output: { kind: value, short: "o" },
  template: { kind: value },
  "show-managed-fields": { kind: flag },
  "dry-run": { kind: { alone: "unchanged" } },
  "field-manager": { kind: value },
  validate: { kind: { alone: "strict" } },
};

/** `replicas:value force image:value,i`: a table from one line. */
export function flags(text: string, ...more: readonly FlagTable[]): FlagTable {
  const own: Record<string, FlagTable[string]> = {};
  for (const word of text.split(" ").filter(Boolean)) {
    const [head = "", short] = word.split(",");
    const [name = "", kind] = head.split(":");
    own[name] = { kind: kind ? value : flag, ...(short ? { short } : {}) };
  }
  return Object.assign({}, ...more, own) as FlagTable;
}

/** Throws UsageError in kubectl's words on a flag that is not known. */
export function parseArgs(argv: readonly string[], table: FlagTable): Args {
  const dashes = argv.indexOf("--");
  const mine = dashes < 0 ? argv : argv.slice(0, dashes);
  const reader = new Reader(mine, { ...COMMON, ...table });
  reader.read();
  const { words, values } = reader;
  const all = (name: string): readonly string[] => {
    const own = values.get(name) ?? [];
    // A directory of kustomize's stands for a file until it is read.
    return name === "filename" ? [...own, ...all("kustomize")] : own;
  };
  const get = (name: string) => {
    if (name !== "namespace") return all(name).at(-1);
    return [...all(CONTEXT_NAMESPACE), ...all(name)].at(-1);
  };
  return {
    words,
    rest: dashes < 0 ? [] : argv.slice(dashes + 1),
    all,
    list: (name) => all(name).flatMap((text) => text.split(",")),
    get,
    int: (name) => readInt(flagText(name, table), get(name)),
    on: (name) => (get(name) ?? "false") === "true",
  };
}

/** As messages name a flag: `-r, --replicas`. */
function flagText(name: string, table: FlagTable): string {
  const short = table[name]?.short;
  return short ? `-${short}, --${name}` : `--${name}`;
}

function readInt(flag: string, text: string | undefined): number | undefined {
  if (text === undefined || /^[-+]?\d+$/.test(text))
    return text === undefined ? undefined : Number(text);
  throw new UsageError(
    `invalid argument "${text}" for "${flag}" flag: ` +
      `strconv.ParseInt: parsing "${text}": invalid syntax`,
  );
}

class Reader {
  readonly words: string[] = [];
  readonly values = new Map<string, string[]>();
  private readonly argv: readonly string[];
  private readonly known: FlagTable;
  private next = 0;

  constructor(argv: readonly string[], known: FlagTable) {
    this.argv = argv;
    this.known = known;
  }

  read(): void {
    while (this.next < this.argv.length) {
      const word = this.argv[this.next++]!;
      if (!word.startsWith("-") || word === "-") this.words.push(word);
      else if (word.startsWith("--")) this.long(word);
      else this.short(word);
    }
  }

  private long(word: string): void {
    const [name = "", given] = word.slice(2).split(/=(.*)/s);
    if (!Object.hasOwn(this.known, name))
      throw new UsageError(`unknown flag: --${name}`);
    this.set(name, given, word);
  }

  /** `-it`: several that stand alone; the last may take a value. */
  private short(word: string): void {
    for (let i = 1; i < word.length; i++) {
      const letter = word[i]!;
      const name = this.named(letter, word);
      const rest = word.slice(i + 1);
      if (this.known[name]!.kind === "value" || rest.startsWith("=")) {
        this.set(name, rest === "" ? undefined : rest.replace(/^=/, ""), word);
        return;
      }
      this.set(name, undefined, word);
    }
  }

  private named(letter: string, word: string): string {
    for (const name in this.known)
      if (this.known[name]!.short === letter) return name;
    throw new UsageError(`unknown shorthand flag: '${letter}' in ${word}`);
  }

  private set(name: string, given: string | undefined, word: string): void {
    const { kind } = this.known[name]!;
    let text = given;
    if (kind === "switch") text ??= "true";
    else if (kind !== "value") text ??= kind.alone;
    else text ??= this.argv[this.next++];
    if (text === undefined) {
      const short = `'${word.at(-1)}' in ${word}`;
      const which = word.startsWith("--") ? word : short;
      throw new UsageError(`flag needs an argument: ${which}`);
    }
    this.values.set(name, [...(this.values.get(name) ?? []), text]);
  }
}
