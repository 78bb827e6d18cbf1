/**
 * crictl: what an administrator on the node types to look at the runtime and
 * to act on it, past the kubelet. Every command is a call or two of the CRI.
 * Models:     cri-tools cmd/crictl @ v1.36
 * Leaves out: what makes Pods and containers (run, runp, create, update);
 *             attach and port-forward; statsp, metricsp and events; output as
 *             YAML; regular expressions.
 * Try:        `crictl stop` a container, and see who starts it again.
 */
import type { Runtime } from "../connection.ts";
import type { LogLine } from "../workload/output.ts";
import { COMMANDS } from "./commands.ts";

export interface CrictlEnvironment {
  readonly runtime: Runtime;
  /** The moment, in nanoseconds since 1970. */
  readonly nowNanos: () => number;
  /** A log file of the node, by its path. */
  readonly readLog: (path: string) => readonly LogLine[];
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export interface CrictlArgs {
  /** Flags: `-a`, `--name web`, each by its long name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly words: readonly string[];
}

export type CrictlCommand = (
  args: CrictlArgs,
  environment: CrictlEnvironment,
) => Promise<void>;

/** Resolves with the exit code. */
export async function runCrictl(
  argv: readonly string[],
  environment: CrictlEnvironment,
): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = COMMANDS[name];
  const fatal = (text: string) => {
    environment.err(`time="${timeOf(environment)}" level=fatal msg="${text}"`);
    return 1;
  };
  if (!command) return fatal(`command '${name}' not found`);
  try {
    const short = REMOVES.includes(name) ? SHORT_FORCE : SHORT;
    await command(readArgs(rest, name === "exec", short), environment);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fatal(message.replaceAll('"', '\\"'));
  }
}

function timeOf({ nowNanos }: CrictlEnvironment): string {
  const text = new Date(Math.floor(nowNanos() / 1e6)).toISOString();
  return `${text.slice(0, 19)}Z`;
}

const SHORT: Readonly<Record<string, string>> = {
  ...{ a: "all", q: "quiet", v: "verbose", s: "state", p: "pod" },
  ...{ t: "timestamps", f: "follow", o: "output", l: "latest", n: "last" },
  ...{ i: "interactive" },
};
/** Those that are short for something else in a command. */
const SHORT_FORCE: Readonly<Record<string, string>> = { ...SHORT, f: "force" };
const REMOVES = ["rm", "rmp", "rmi"];
/** Flags that stand before a value. */
const VALUES = ["name", "namespace", "state", "pod", "label", "output"];
const MORE_VALUES = ["tail", "timeout", "image", "last", "id"];

/** `isCommand`: what follows the first word is a command of its own. */
function readArgs(
  argv: readonly string[],
  isCommand: boolean,
  short: Readonly<Record<string, string>>,
): CrictlArgs {
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (!word.startsWith("-") || (isCommand && words.length > 0)) {
      words.push(word);
      continue;
    }
    const letters = /^-([a-zA-Z]{2,})$/.exec(word)?.[1] ?? "";
    if (letters && [...letters].every((letter) => short[letter])) {
      // `-aq`: several at once, none of which has a value.
      for (const letter of letters) flags.set(short[letter]!, "true");
      continue;
    }
    const [given = "", inline] = word.replace(/^--?/, "").split("=");
    const name = short[given] ?? given;
    const takes = VALUES.includes(name) || MORE_VALUES.includes(name);
    flags.set(name, inline ?? (takes ? (argv[++i] ?? "") : "true"));
  }
  return { flags, words };
}
