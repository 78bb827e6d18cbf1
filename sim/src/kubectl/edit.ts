/**
 * kubectl edit: an editor opens the objects, and what is changed is sent.
 * Models:     kubectl/pkg/cmd/util/editor/editoptions.go @ v1.36
 * Leaves out: --output-patch, --windows-line-endings; keeping a copy of
 *             changes that could not be sent.
 */
import { threeWayJsonPatch, threeWayPatch } from "../api/patch/three-way.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import type { JsonObject, KubeObject } from "../api/types.ts";
import { stringify } from "../api/yaml.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import { readEdited, strip, withReasons } from "./edit/text.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { jsonOf } from "./objects.ts";
import { fieldValidation, printDone, writeOptions } from "./print/done.ts";

const FLAGS = flags("subresource:value", OUTPUT, SELECT);

export const edit: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const finding = await find(args, args.words, env, {
    verb: "edit",
    lists: true,
  });
  throwAll(finding.errors);
  const { items } = finding;
  if (items.length === 0)
    throw new CommandError("edit cancelled, no objects found");
  if (!env.editor) throw new CommandError(NO_EDITOR);
  const original = textOf(items);
  let shown = original;
  let reasons: string[] = [];
  for (let again = false; ; again = true) {
    const edited = await env.editor(withReasons(reasons, shown));
    const text = strip(edited);
    if (again && text === shown)
      throw new CommandError("Edit cancelled, no valid changes were saved.");
    if (text === strip(original)) return cancelled("no changes made", env);
    if (text.trim() === "") return cancelled("saved file was empty", env);
    shown = text;
    const read = readEdited(text, items);
    if ("wrong" in read) {
      reasons = [`The edited file had a syntax error: ${read.wrong}`];
      continue;
    }
    const sent = await sendAll(read.pairs, args, env);
    if (sent.failed) return 1;
    if (sent.reasons.length === 0) return 0;
    reasons = sent.reasons;
  }
};

const NO_EDITOR =
  "edit opens an editor, and here is none: change the object with 'kubectl " +
  "patch', 'kubectl set' or 'kubectl apply -f', or run 'npx shikumi kubectl " +
  "edit' in a terminal";

function cancelled(why: string, env: Environment): number {
  env.err(`Edit cancelled, ${why}.`);
  return 0;
}

/** One object as it is, several as a List. */
function textOf(items: readonly Found[]): string {
  const objects = items.map(({ object }) => {
    const { managedFields: _, ...metadata } = object.metadata;
    return jsonOf({ ...object, metadata });
  });
  const [one] = objects;
  if (objects.length === 1) return stringify(one!);
  return stringify({
    apiVersion: "v1",
    items: objects,
    kind: "List",
    metadata: {},
  });
}

interface Sent {
  /** Why the editor opens again. */
  readonly reasons: string[];
  /** Something went wrong that no editor mends. */
  readonly failed: boolean;
}

async function sendAll(
  pairs: readonly { before: Found; after: JsonObject }[],
  args: Args,
  env: Environment,
): Promise<Sent> {
  const reasons: string[] = [];
  let failed = false;
  for (const { before, after } of pairs) {
    const { kind, object } = before;
    const { name } = object.metadata;
    const what = kind.group ? `${kind.resource}.${kind.group}` : kind.resource;
    try {
      await sendOne(before, after, args, env);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const which = `${what} "${name}"`;
      if (error.reason === "Invalid") {
        reasons.push(`${which} was not valid:`, ...causesOf(error));
        env.err(`error: ${which} is invalid`);
        continue;
      }
      failed = true;
      env.err(
        isNotFound(error)
          ? `error: ${which} could not be found on the server`
          : `error: ${which} could not be patched: ${error.message}`,
      );
    }
  }
  return { reasons, failed };
}

function causesOf({ status }: StatusError): string[] {
  const causes = status.details?.causes ?? [];
  return causes.map(({ field, message }) => `* ${field}: ${message}`);
}

async function sendOne(
  { kind, object }: Found,
  after: JsonObject,
  args: Args,
  env: Environment,
): Promise<void> {
  const { managedFields: _, ...metadata } = object.metadata;
  const live = jsonOf({ ...object, metadata });
  const ways = { lastApplied: live, manifest: after, live };
  const isOwn = kind.struct === "";
  const body = isOwn
    ? threeWayJsonPatch(ways)
    : threeWayPatch(ways, kind.struct, env.kinds.schemas);
  if (Object.keys(body).length === 0) {
    printDone(args, env, kind, object, "skipped");
    return;
  }
  const type = isOwn
    ? "application/merge-patch+json"
    : "application/strategic-merge-patch+json";
  const options = {
    ...writeOptions(args, "kubectl-edit"),
    fieldValidation: fieldValidation(args),
  };
  const { name, namespace = "" } = object.metadata;
  const more = { options, subresource: args.get("subresource") };
  const { client } = env;
  const patched: KubeObject = await client.patch(
    kind,
    namespace,
    name,
    type,
    body,
    more,
  );
  printDone(args, env, kind, patched, "edited");
}
