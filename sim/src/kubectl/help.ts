/**
 * Help: `kubectl --help`, `kubectl help get`, `kubectl rollout undo -h`, and
 * what is said of words that are no command.
 * Models:     kubectl/pkg/cmd/help, spf13/cobra (SuggestionsFor) @ v1.36
 */
import { type Environment, UsageError } from "./environment.ts";
import { CREATE } from "./help/create.ts";
import { GROUPS } from "./help/groups.ts";
import { globalText, ORDER, rootText } from "./help/root.ts";
import { SINGLE } from "./help/single.ts";
import { type CommandText, find, helpText } from "./help/text.ts";
import { distance } from "./near.ts";

/** Prints the help that is asked for; undefined: none is. */
export function helped(
  argv: readonly string[],
  env: Environment,
): number | undefined {
  const dashes = argv.indexOf("--");
  const mine = dashes < 0 ? argv : argv.slice(0, dashes);
  const words = mine.filter((word) => !word.startsWith("-"));
  const [first, ...rest] = words;
  const asks = mine.some((word) => word === "--help" || word === "-h");
  if (first === undefined && (asks || mine.length === 0)) return root(env);
  if (first === "options") {
    env.out(globalText());
    return 0;
  }
  if (first === "help") return topic(rest, env);
  if (asks) return topic(words, env);
  if (first === undefined) return refuseFlag(mine[0]!);
  return bare(words, mine.length === words.length, env);
}

/** Made when help is asked for: a run that asks none need not load the texts. */
function all(): readonly CommandText[] {
  return [...CREATE, ...GROUPS, ...SINGLE];
}

function root(env: Environment): number {
  env.out(rootText(all()));
  return 0;
}

function refuseFlag(word: string): never {
  throw new UsageError(`unknown flag: ${word.split("=")[0]}`);
}

/** As many of the words as name a command. */
function topic(words: readonly string[], env: Environment): number {
  if (words.length === 0) return root(env);
  const command = deepest(words);
  if (command) env.out(helpText(command, all()));
  else
    env.err(
      `Unknown help topic ${`[\`${words.join(" ")}\`]`}\n\n${rootText(all())}`,
    );
  return 0;
}

function deepest(words: readonly string[]) {
  for (let count = words.length; count > 0; count--) {
    const command = find(words.slice(0, count).join(" "), all());
    if (command) return command;
  }
  return;
}

/** Those that do nothing alone show their help; some say so by their code. */
const STDOUT: { readonly [path: string]: number } = {
  certificate: 0,
  rollout: 1,
};
const STDERR = [
  "auth",
  "config",
  "create secret",
  "create service",
  "set",
  "top",
];

function bare(
  words: readonly string[],
  noFlags: boolean,
  env: Environment,
): number | undefined {
  const path = words.join(" ");
  if (!noFlags) return;
  if (Object.hasOwn(STDOUT, path)) {
    env.out(textOf(path));
    return STDOUT[path];
  }
  if (!STDERR.includes(path)) return;
  env.err(textOf(path));
  return 1;
}

function textOf(path: string): string {
  return helpText(find(path, all())!, all());
}

/** Words of other tools, and what they are called here. */
const MEANT: { readonly [word: string]: readonly string[] } = {
  list: ["get", "wait"],
  ps: ["get", "wait"],
};

/** Commands that a misspelt word may stand for, in upstream's order. */
export function suggestions(word: string): readonly string[] {
  const wanted = word.toLowerCase();
  return ORDER.filter((name) => {
    const isMeant = (MEANT[wanted] ?? []).includes(name);
    return isMeant || name.startsWith(wanted) || distance(wanted, name) <= 2;
  });
}
