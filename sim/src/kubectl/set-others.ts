/**
 * kubectl set serviceaccount, and set selector: changes to what is not a
 * container.
 * Models:     kubectl/pkg/cmd/set/{set_serviceaccount,set_selector}.go @ v1.36
 */
import { at, obj } from "../api/kinds/access.ts";
import type { Json } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { wrap } from "./set-path.ts";

const FLAGS = flags("resource-version:value local", OUTPUT, SELECT);

/** `set serviceaccount deployment/web robot`: the last word is the account. */
export const setServiceAccount: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  if (args.words.length === 0)
    throw new CommandError("serviceaccount is required");
  const serviceAccountName = args.words.at(-1)!;
  const objects = args.words.slice(0, -1);
  const { items, errors } = await find(args, objects, env, { verb: "set" });
  for (const found of items) {
    const body = wrap(found, { serviceAccountName });
    await change(found, body, "serviceaccount updated", args, env);
  }
  throwAll(errors);
  return 0;
};

/** `set selector service web app=web`: which Pods a Service leads to. */
export const setSelector: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const words = args.words.slice(0, -1);
  const pairs = (args.words.at(-1) ?? "").split(",");
  const selector = Object.fromEntries(pairs.map((pair) => pair.split("=")));
  const { items, errors } = await find(args, words, env, { verb: "set" });
  for (const found of items) {
    if (found.kind.kind !== "Service")
      throw new CommandError(
        "setting a selector is only supported for Services",
      );
    // It is replaced whole: what is not named is taken out.
    const old = obj(at(found.object.spec as Json, "selector"));
    const gone = Object.fromEntries(Object.keys(old).map((k) => [k, null]));
    const body = { spec: { selector: { ...gone, ...selector } } };
    await change(found, body, "selector updated", args, env);
  }
  throwAll(errors);
  return 0;
};

async function change(
  { kind, object }: Found,
  body: object,
  done: string,
  args: Args,
  env: Environment,
): Promise<void> {
  const { name, namespace = "" } = object.metadata;
  const isSelector = kind.kind === "Service";
  const type = isSelector
    ? "application/merge-patch+json"
    : "application/strategic-merge-patch+json";
  if (dryRunOf(args) !== "client") {
    const options = writeOptions(args, "kubectl-set");
    await env.client.patch(kind, namespace, name, type, body, { options });
  }
  printDone(args, env, kind, object, done);
}
