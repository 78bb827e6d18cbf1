/**
 * kubectl label and annotate: `tier=web` sets, `tier-` removes.
 * Models:     kubectl/pkg/cmd/{label/label.go,annotate/annotate.go} @ v1.36
 */
import type { Labels } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find, NO_RESOURCE } from "./find.ts";
import {
  type Changes,
  type Field,
  marked,
  readChanges,
} from "./label/changes.ts";
import { asWritten } from "./manifests/checks.ts";
import { readFiles } from "./manifests.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { objectPrinterFor } from "./print/object.ts";

const FLAGS = flags(
  "overwrite list local resource-version:value",
  OUTPUT,
  SELECT,
);

export const label = marker("labels");
export const annotate = marker("annotations");

function marker(field: Field): Command {
  return async (argv, env) => {
    const args = parseArgs(argv, FLAGS);
    // Only annotate looks at once whether it can print what was asked for.
    if (field === "annotations") objectPrinterFor(args, env);
    const isChange = (word: string) => /=|-$/.test(word);
    const first = args.words.findIndex((word, i) => i > 0 && isChange(word));
    const from = args.all("filename").length > 0 ? 0 : first;
    const objects = from < 0 ? args.words : args.words.slice(0, from);
    const changes = readChanges(from < 0 ? [] : args.words.slice(from), field);
    if (objects.length === 0 && args.all("filename").length === 0)
      throw new CommandError(NO_RESOURCE);
    const nothing = changes.set.size + changes.remove.length === 0;
    if (nothing && !args.on("list")) {
      const what = field === "labels" ? "label" : "annotation";
      throw new CommandError(`at least one ${what} update is required`);
    }
    const verb = field === "labels" ? "label" : "annotate";
    if (args.on("all") && args.get("selector"))
      throw new CommandError(
        "cannot set --all and --selector at the same time",
      );
    if (args.on("local")) return markFiles(field, changes, args, env);
    const { items, errors } = await find(args, objects, env, { verb });
    const failed: unknown[] = [...errors];
    if (args.get("resource-version") && items.length > 1)
      throw new CommandError(
        "--resource-version may only be used with a single resource",
      );
    for (const [i, found] of items.entries()) {
      if (i > 0) separate(field, args, env);
      try {
        if (args.on("list")) list(found, field, changes, items.length > 1, env);
        else await change(found, field, changes, args, env);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        // The others are marked nevertheless.
        failed.push(error);
      }
    }
    throwAll(failed);
    return 0;
  };
}

/** `--local`: files as they would be, without asking the server. */
function markFiles(
  field: Field,
  changes: Changes,
  args: Args,
  env: Environment,
): number {
  if (args.all("filename").length === 0)
    throw new CommandError(
      "can only use local files by -f pod.yaml or --filename=pod.json when --local=true is set",
    );
  const { items, errors } = readFiles(args, env);
  const shown = { ...args, get: ownFlags(args) };
  for (const [i, manifest] of items.entries()) {
    const { kind } = manifest;
    const object = asWritten(manifest);
    if (i > 0) separate(field, args, env);
    const after = marked(object.metadata[field], changes);
    const metadata = { ...object.metadata, [field]: after };
    const done = field === "labels" ? "labeled" : "annotated";
    printDone(shown, env, kind, { ...object, metadata }, done);
  }
  throwAll(errors);
  return 0;
}

/** One printer prints all that is annotated; of labels each has its own. */
function separate(field: Field, args: Args, env: Environment): void {
  const isYaml = args.get("output") === "yaml";
  if (isYaml && field === "annotations") env.out("---");
}

/** What is local is no dry run. */
function ownFlags({ get }: Args) {
  return (name: string) => (name === "dry-run" ? undefined : get(name));
}

/** As they would be; nothing is written. Of several, each with a heading. */
function list(
  { kind, object }: Found,
  field: Field,
  changes: Changes,
  several: boolean,
  env: Environment,
): void {
  const { name } = object.metadata;
  if (several)
    env.out(`Listing ${field} for ${kind.kind}.${kind.group}/${name}:`);
  const after = marked(object.metadata[field], changes);
  for (const [key, value] of Object.entries(after))
    env.out(`${several ? " " : ""}${key}=${value}`);
}

async function change(
  { kind, object }: Found,
  field: Field,
  changes: Changes,
  args: Args,
  env: Environment,
): Promise<void> {
  const { set, remove } = changes;
  const before = object.metadata[field] ?? {};
  if (!args.on("overwrite")) refuseOverwrite(field, before, set);
  const missing = remove.filter((key) => before[key] === undefined);
  if (field === "labels") {
    for (const key of missing) env.out(`label "${key}" not found.`);
  }
  const wanted: Record<string, string | null> = {};
  for (const key of remove) if (!missing.includes(key)) wanted[key] = null;
  for (const [key, value] of set)
    if (before[key] !== value) wanted[key] = value;
  const { name, namespace = "" } = object.metadata;
  const changed = Object.keys(wanted).length > 0;
  if (changed && dryRunOf(args) !== "client") {
    const manager = `kubectl-${field === "labels" ? "label" : "annotate"}`;
    const options = writeOptions(args, manager);
    const type = "application/merge-patch+json";
    const resourceVersion = args.get("resource-version");
    const metadata = {
      ...(resourceVersion ? { resourceVersion } : {}),
      [field]: wanted,
    };
    const body = { metadata };
    await env.client.patch(kind, namespace, name, type, body, { options });
  }
  const after = marked(before, changes);
  const metadata = { ...object.metadata, [field]: after };
  printDone(args, env, kind, { ...object, metadata }, doneText(field, wanted));
}

function refuseOverwrite(
  field: Field,
  before: Labels,
  set: ReadonlyMap<string, string>,
): void {
  const taken = [...set].flatMap(([key, value]) => {
    const old = before[key];
    return old === undefined || old === value
      ? []
      : [`'${key}' already has a value (${old})`];
  });
  if (taken.length === 0) return;
  throw new CommandError(
    field === "labels"
      ? `${taken[0]}, and --overwrite is false`
      : "--overwrite is false but found the following declared " +
          `annotation(s): ${taken.join("; ")}`,
  );
}

function doneText(
  field: Field,
  wanted: { readonly [key: string]: string | null },
): string {
  if (field === "annotations") return "annotated";
  const values = Object.values(wanted);
  if (values.length === 0) return "not labeled";
  return values.every((value) => value === null) ? "unlabeled" : "labeled";
}
