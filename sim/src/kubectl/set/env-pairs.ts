/**
 * Which variables `kubectl set env` gives: pairs of words, and the keys of a
 * ConfigMap or a Secret.
 * Models:     kubectl/pkg/cmd/set/{set_env,env/env_parse}.go @ v1.36
 */
import { quote } from "../../api/go-text.ts";
import { obj, str } from "../../api/kinds/access.ts";
import { strictEnvVarName } from "../../api/names.ts";
import type { JsonObject } from "../../api/types.ts";
import { type Args, parseArgs } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { readAsked } from "../find.ts";
import { jsonOf } from "../objects.ts";

export interface Wanted {
  /** `{ name, value }` or `{ name, valueFrom }` */
  readonly env: readonly JsonObject[];
  readonly remove: readonly string[];
}

export function readPairs(pairs: readonly string[]): Wanted {
  const env: JsonObject[] = [];
  const remove: string[] = [];
  for (const pair of pairs) {
    const [name = "", value] = pair.split(/=(.*)/s);
    if (value === undefined) {
      if (!name.endsWith("-"))
        throw new CommandError(`unknown environment variable: ${name}`);
      remove.push(name.slice(0, -1));
      continue;
    }
    refuseName(name);
    env.push(value === "" ? { name } : { name, value });
  }
  if (remove.some((name) => env.some((one) => one.name === name)))
    throw new CommandError(
      "can not both modify and remove the same environment variable in the same command",
    );
  return { env, remove };
}

/** kubectl has kept the strict rule, though servers relaxed theirs. */
function refuseName(name: string): void {
  const errors = strictEnvVarName(name);
  if (errors.length === 0) return;
  throw new CommandError(
    `${quote(name)} is not a valid key name: ${errors.join("; ")}`,
  );
}

/** With the keys of what `--from` names, each under a name of its own. */
export async function withSource(
  { env, remove }: Wanted,
  args: Args,
  environment: Environment,
): Promise<Wanted> {
  const from = args.get("from");
  const more = from ? await sourceEnv(from, args, environment) : [];
  const prefix = args.get("prefix") ?? "";
  const named = [...env, ...more].map((one) => {
    return { ...one, name: prefix + str(one.name) };
  });
  return { env: named, remove };
}

async function sourceEnv(
  from: string,
  args: Args,
  env: Environment,
): Promise<JsonObject[]> {
  const [named] = readAsked(parseArgs([], {}), [from], env, "set").named;
  if (!named)
    throw new CommandError(
      "resource(s) were provided, but no name was specified",
    );
  const { kind, name } = named;
  const namespace = args.get("namespace") ?? "default";
  const object = jsonOf(await env.client.get(kind, namespace, name));
  const ref = { ConfigMap: "configMapKeyRef", Secret: "secretKeyRef" }[
    kind.kind
  ];
  if (!ref) throw new CommandError("unsupported resource specified in --from");
  const keys = args.list("keys");
  return Object.keys(obj(object.data))
    .filter((key) => keys.length === 0 || keys.includes(key))
    .sort() // Upstream has no order here.
    .map((key) => {
      const its = key.replace(/[^a-zA-Z0-9_]/g, "_").toUpperCase();
      if (its !== key) env.err(`Warning: key ${key} transferred to ${its}`);
      return { name: its, valueFrom: { [ref]: { key, name } } };
    });
}
