/**
 * kubectl patch: sends the difference that is given.
 * Models:     kubectl/pkg/cmd/patch/patch.go @ v1.36
 */
import { same } from "../api/kinds/access.ts";
import type { Kind } from "../api/kinds/definition.ts";
import { Scale } from "../api/kinds/subresource-kinds.ts";
import { StatusError } from "../api/status.ts";
import type { PatchType } from "../api/transport.ts";
import type { Json, KubeObject } from "../api/types.ts";
import { parseManifests } from "../api/yaml.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { find } from "./find.ts";
import { asWritten } from "./manifests/checks.ts";
import { readFiles } from "./manifests.ts";
import { patchedHere } from "./patch/here.ts";
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
  if (args.on("local")) return patchFiles(type, body, args, env);
  const verb = "patch";
  const { items, errors } = await find(args, args.words, env, { verb });
  for (const { kind, object } of items) {
    const after =
      dryRunOf(args) === "client"
        ? patchedHere(kind, object, type, body, env)
        : await send(kind, object, type, body, args, env);
    tell(kind, object, after, args, env);
  }
  throwAll(errors);
  return 0;
};

/** Of files, as they are in them; the server is not asked. */
function patchFiles(
  type: PatchType,
  body: Json,
  args: Args,
  env: Environment,
): number {
  const { items, errors } = readFiles(args, env);
  for (const manifest of items) {
    const { kind } = manifest;
    const bare = asWritten(manifest);
    const after = patchedHere(kind, bare, type, body, env);
    tell(kind, bare, after, args, env);
  }
  throwAll(errors);
  return 0;
}

async function send(
  kind: Kind,
  { metadata: { namespace = "", name }, apiVersion }: KubeObject,
  type: PatchType,
  body: Json,
  args: Args,
  { client }: Environment,
): Promise<KubeObject> {
  const options = writeOptions(args, "kubectl-patch");
  const more = { options, subresource: args.get("subresource") };
  try {
    return await client.patch(kind, namespace, name, type, body, more);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 415)
      throw error;
    throw new CommandError(
      `${type} is not supported by ${apiVersion}, Kind=${kind.kind}: ${error.message}`,
    );
  }
}

/** Upstream does not say here that it was for show. */
function tell(
  kind: Kind,
  before: KubeObject,
  after: KubeObject,
  args: Args,
  env: Environment,
): void {
  const done = same(after, before) ? "patched (no change)" : "patched";
  const its = after.kind === Scale.kind ? Scale : kind;
  const get = (name: string) =>
    name === "dry-run" ? undefined : args.get(name);
  printDone({ ...args, get }, env, its, after, done);
}

function readPatch(args: Args, env: Environment): Json {
  const file = args.get("patch-file");
  if (file && args.get("patch"))
    throw new CommandError("cannot specify --patch and --patch-file together");
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
  return documents[0]?.value ?? null;
}
