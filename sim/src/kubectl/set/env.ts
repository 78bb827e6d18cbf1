/**
 * kubectl set env: variables of containers, given, taken from a ConfigMap or a
 * Secret, taken away, or listed.
 * Models:     kubectl/pkg/cmd/set/set_env.go @ v1.36
 * Leaves out: --resolve; variables from standard input.
 */
import { list, str } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "../environment.ts";
import { type Found, NO_RESOURCE } from "../find.ts";
import { objectPrinterFor } from "../print/object.ts";
import { about, changeAll, objectsOf } from "./change.ts";
import { listEnv } from "./env-list.ts";
import { readPairs, type Wanted, withSource } from "./env-pairs.ts";
import { isNamed, splitWords } from "./names.ts";
import { containersOf, withContainers } from "./path.ts";

const FLAGS = flags(
  "containers:value,c env:value,e from:value prefix:value keys:value list " +
    "overwrite local",
  OUTPUT,
  SELECT,
);

export const setEnv: Command = async (argv, environment) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, environment);
  const isPair = (word: string) => /.=/.test(word) || word.endsWith("-");
  const { objects, pairs } = splitWords(args.words, isPair, "environment");
  if (objects.length === 0 && args.all("filename").length === 0)
    throw new CommandError(NO_RESOURCE);
  if (args.on("list") && args.get("output"))
    throw new CommandError("--list and --output may not be specified together");
  if (args.list("keys").length > 0 && !args.get("from"))
    throw new CommandError(
      "when specifying --keys, a configmap or secret must be provided with --from",
    );
  const given = [...args.all("env"), ...pairs];
  const wanted = await withSource(readPairs(given), args, environment);
  // Upstream looks at no words at all when it works on files.
  const words = args.on("local") ? [] : objects;
  const change = (found: Found) => changed(found, wanted, args, environment);
  if (args.on("list")) {
    const { items, errors } = await objectsOf(args, words, environment);
    throwAll(errors);
    for (const found of items) {
      const object = change(found) as Found["object"];
      listEnv({ ...found, object }, chosen(args), environment);
    }
    return 0;
  }
  const failure = "failed to patch env update to pod template:";
  const setter = { done: "env updated", failure, change };
  await changeAll(args, words, environment, setter);
  return 0;
};

function chosen(args: Args): (container: JsonObject) => boolean {
  const wanted = args.get("containers") ?? "*";
  return ({ name }) => isNamed(str(name), wanted);
}

function changed(
  found: Found,
  { env, remove }: Wanted,
  args: Args,
  environment: Environment,
) {
  const { kind, object } = found;
  const isChosen = chosen(args);
  const containers = containersOf(found).filter(isChosen);
  if (containers.length === 0) {
    environment.err(
      `Warning: ${kind.kind}/${object.metadata.name} does not have any ` +
        `containers matching "${args.get("containers")}"`,
    );
  }
  if (args.get("overwrite") === "false")
    for (const one of containers) refuseOverwrite(found, one, env);
  return withContainers(found, (one) =>
    isChosen(one) ? updated(one, env, remove) : one,
  );
}

function refuseOverwrite(
  found: Found,
  container: JsonObject,
  env: readonly JsonObject[],
): void {
  for (const { name, value = "" } of env) {
    const old = list(container.env).find((one) => one.name === name);
    const was = str(old?.value);
    if (!old || was === value) continue;
    const text = `'${name}' already has a value (${was}), and --overwrite is false`;
    throw about(found, text);
  }
}

/** What is there keeps its place; what is new comes last. */
function updated(
  container: JsonObject,
  env: readonly JsonObject[],
  remove: readonly string[],
): JsonObject {
  const old = list(container.env).filter(
    ({ name }) => !remove.includes(str(name)),
  );
  const kept = old.map((one) => env.find((e) => e.name === one.name) ?? one);
  const isNew = (one: JsonObject, i: number) =>
    !remove.includes(str(one.name)) &&
    !old.some((e) => e.name === one.name) &&
    env.findIndex((e) => e.name === one.name) === i;
  const all = [...kept, ...env.filter(isNew)];
  const { env: _, ...rest } = container;
  return all.length > 0 ? { ...rest, env: all } : rest;
}
