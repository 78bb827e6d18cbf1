/**
 * What all of `kubectl set` share: objects are read, or with --local only their
 * files; each is changed here; the difference is sent, or shown in a dry run.
 * Models:     kubectl/pkg/cmd/set/helper.go @ v1.36
 */
import { threeWayPatch } from "../../api/patch/three-way.ts";
import { StatusError } from "../../api/status.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment, throwAll } from "../environment.ts";
import { type Found, find, NOTHING } from "../find.ts";
import { asWritten } from "../manifests/checks.ts";
import { readManifests } from "../manifests.ts";
import { jsonOf, typed } from "../objects.ts";
import { dryRunOf, printDone, writeOptions } from "../print/done.ts";
import { goForm } from "./go-form.ts";

export interface Setter {
  /** `image updated` */
  readonly done: string;
  /** Before the server's words when it refuses; absent: they stand alone. */
  readonly failure?: string;
  /** The object as it is to be; may throw what is wrong with this one. */
  readonly change: (found: Found) => KubeObject;
}

const LOCAL = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** Objects of the command line. */
export async function objectsOf(
  args: Args,
  words: readonly string[],
  env: Environment,
): Promise<{ items: readonly Found[]; errors: readonly unknown[] }> {
  if (!args.on("local")) return find(args, words, env, { verb: "set" });
  if (dryRunOf(args) === "server")
    throw new CommandError(
      "cannot specify --local and --dry-run=server - did you mean --dry-run=client?",
    );
  if (words.length > 0) throw new CommandError(LOCAL);
  if (args.all("filename").length === 0) throw new CommandError(NOTHING);
  const { items, errors } = readManifests(args, env, "set");
  const local = items.map((manifest) => {
    const object = typed<Found["object"]>(goForm(asWritten(manifest)));
    return { kind: manifest.kind, object, manifest };
  });
  return { items: local, errors };
}

export async function changeAll(
  args: Args,
  words: readonly string[],
  env: Environment,
  setter: Setter,
): Promise<void> {
  const { items, errors } = await objectsOf(args, words, env);
  throwAll(errors);
  await changeEach(items, args, env, setter);
}

/** Changes what was read already. */
export async function changeEach(
  items: readonly Found[],
  args: Args,
  env: Environment,
  setter: Setter,
): Promise<void> {
  const failed: unknown[] = [];
  for (const found of items) {
    try {
      await changeOne(found, args, env, setter);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed.push(error);
    }
  }
  throwAll(failed);
}

/** What is wrong with one object, after its name. */
export function about({ kind, object }: Found, why: string): CommandError {
  return new CommandError(`${kind.resource}/${object.metadata.name} ${why}`);
}

async function changeOne(
  found: Found,
  args: Args,
  env: Environment,
  { done, failure, change }: Setter,
): Promise<void> {
  const { kind, object } = found;
  const wanted = change(found);
  const live = jsonOf(object);
  const ways = { lastApplied: live, manifest: jsonOf(wanted), live };
  const body = threeWayPatch(ways, kind.struct, env.kinds.schemas);
  if (Object.keys(body).length === 0) return;
  if (args.on("local") || dryRunOf(args) === "client") {
    // Without a server, `--local` alone is no dry run: it says "updated".
    return printDone(args, env, kind, wanted, done, true);
  }
  const { name, namespace = "" } = object.metadata;
  const type = "application/strategic-merge-patch+json";
  const options = writeOptions(args, "kubectl-set");
  const more = { options };
  try {
    const { client } = env;
    const after = await client.patch(kind, namespace, name, type, body, more);
    printDone(args, env, kind, after, done, true);
  } catch (error) {
    if (!(error instanceof StatusError) || failure === undefined) throw error;
    throw new CommandError(`${failure} ${error.message}`);
  }
}
