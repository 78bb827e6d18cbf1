/**
 * kubectl patch: sends the difference that is given.
 * Models:     kubectl/pkg/cmd/patch/patch.go @ v1.36
 */
import type { PatchType } from "../api/transport.ts";
import { parseManifests } from "../api/yaml.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { find } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";

const TYPES: { readonly [name: string]: PatchType } = {
  strategic: "application/strategic-merge-patch+json",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
};

const FLAGS = flags(
  "patch:value,p patch-file:value type:value subresource:value local",
  OUTPUT,
  SELECT,
);

export const patch: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const name = args.get("type") ?? "strategic";
  const type = Object.hasOwn(TYPES, name.toLowerCase())
    ? TYPES[name.toLowerCase()]
    : undefined;
  if (!type) {
    throw new CommandError(
      `--type must be one of [json merge strategic], not "${name}"`,
    );
  }
  const body = readPatch(args, env);
  const verb = "patch";
  const { items, errors } = await find(args, args.words, env, { verb });
  for (const { kind, object } of items) {
    const { namespace = "", name: its, resourceVersion } = object.metadata;
    if (dryRunOf(args) === "client") {
      printDone(args, env, kind, object, "patched");
      continue;
    }
    const options = writeOptions(args, "kubectl-patch");
    const more = { options, subresource: args.get("subresource") };
    const { client } = env;
    const after = await client.patch(kind, namespace, its, type, body, more);
    const same = after.metadata.resourceVersion === resourceVersion;
    const done = same ? "patched (no change)" : "patched";
    printDone(args, env, kind, after, done);
  }
  throwAll(errors);
  return 0;
};

function readPatch(args: Args, env: Environment): unknown {
  const file = args.get("patch-file");
  const text = file === undefined ? args.get("patch") : env.files[file];
  if (text === undefined && file !== undefined) {
    throw new CommandError(
      `unable to read patch file: open ${file}: no such file or directory`,
    );
  }
  if (!text) {
    throw new CommandError(
      "must specify --patch or --patch-file containing the contents of the patch",
    );
  }
  const { documents, errors } = parseManifests(text);
  const [wrong] = errors;
  if (wrong)
    throw new CommandError(`unable to parse "${text}": ${wrong.message}`);
  return documents[0]?.value;
}
