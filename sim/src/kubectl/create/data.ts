/**
 * Data of ConfigMaps and Secrets: literals, files, and files of variables.
 * Models:     kubectl/pkg/cmd/create/create_{configmap,secret}.go,
 *             kubectl/pkg/util/util.go @ v1.36
 */
import { configMapKey } from "../../api/names.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";

export const DATA = "from-literal:value from-file:value from-env-file:value";

/** How a kind words what is wrong with a key. */
export interface Wording {
  readonly invalid: (key: string, why: string) => string;
  readonly taken: (key: string) => string;
}

export const forSecret: Wording = {
  invalid: (key, why) => `"${key}" is not valid key name for a Secret ${why}`,
  taken: (key) =>
    `cannot add key ${key}, another key by that name already exists`,
};

export function forConfigMap(name: string): Wording {
  return {
    invalid: (key, why) =>
      `"${key}" is not a valid key name for a ConfigMap: ${why}`,
    taken: (key) =>
      `cannot add key "${key}", another key by that name already exists in ` +
      `Data for ConfigMap "${name}"`,
  };
}

export function dataOf(
  args: Args,
  env: Environment,
  wording: Wording,
): { [key: string]: string } {
  const files = args.all("from-file");
  const literals = args.all("from-literal");
  const variables = args.all("from-env-file");
  if (variables.length > 0 && files.length + literals.length > 0)
    throw new CommandError(
      "from-env-file cannot be combined with from-file or from-literal",
    );
  const data = new Map<string, string>();
  const add = ([key, value]: readonly [string, string]) => {
    const why = configMapKey(key).join(",");
    if (why) throw new CommandError(wording.invalid(key, why));
    if (data.has(key)) throw new CommandError(wording.taken(key));
    data.set(key, value);
  };
  for (const text of literals) add(literal(text));
  for (const source of files) {
    const [key, path] = fileSource(source);
    add([key, readFile(path, env)]);
  }
  for (const path of variables)
    for (const pair of envPairs(readFile(path, env))) add(pair);
  return Object.fromEntries(data);
}

function literal(text: string): readonly [string, string] {
  const [key = "", value] = text.split(/=(.*)/s);
  if (value !== undefined && key !== "")
    return [key, value.replace(/^(["'])(.*)\1$/s, "$2")];
  throw new CommandError(`invalid literal source ${text}, expected key=value`);
}

/** `path` or `key=path`. */
function fileSource(source: string): readonly [string, string] {
  const [first = "", path, ...more] = source.split("=");
  if (path === undefined) return [first.split("/").at(-1)!, first];
  if (more.length > 0)
    throw new CommandError("key names or file paths cannot contain '='");
  if (first === "")
    throw new CommandError(`key name for file path ${path} missing`);
  if (path === "")
    throw new CommandError(`file path for key name ${first} missing`);
  return [first, path];
}

function envPairs(text: string): (readonly [string, string])[] {
  const lines = text.split("\n").filter((line) => /^\s*[^#\s]/.test(line));
  return lines.map((line) => {
    const [key = "", value = ""] = line.trim().split(/=(.*)/s);
    return [key, value] as const;
  });
}

function readFile(path: string, { files }: Environment): string {
  const text = files[path];
  if (text !== undefined) return text;
  throw new CommandError(`error reading ${path}: no such file or directory`);
}
