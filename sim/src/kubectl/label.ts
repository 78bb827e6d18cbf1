/**
 * kubectl label and annotate: `tier=web` sets, `tier-` removes.
 * Models:     kubectl/pkg/cmd/{label/label.go,annotate/annotate.go} @ v1.36
 */
import { labelValue } from "../api/names.ts";
import type { Labels } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find, NO_RESOURCE } from "./find.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";

type Field = "labels" | "annotations";

interface Changes {
  readonly set: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
}

const FLAGS = flags("overwrite list resource-version:value", OUTPUT, SELECT);

export const label = marker("labels");
export const annotate = marker("annotations");

function marker(field: Field): Command {
  return async (argv, env) => {
    const args = parseArgs(argv, FLAGS);
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
    const { items, errors } = await find(args, objects, env, { verb });
    const failed: unknown[] = [...errors];
    for (const found of items) {
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

function readChanges(words: readonly string[], field: Field): Changes {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of words) {
    const [key = "", value] = word.split(/=(.*)/s);
    if (value !== undefined && key !== "") {
      if (field === "labels") refuseValue(word, value);
      set.set(key, value);
    } else if (value !== undefined) continue;
    else if (key.endsWith("-")) remove.push(key.slice(0, -1));
    else throw new CommandError(`unknown label spec: ${word}`);
  }
  const both = remove.filter((key) => set.has(key));
  if (both.length > 0) {
    throw new CommandError(
      field === "labels"
        ? "can not both modify and remove a label in the same command"
        : "can not both modify and remove the following annotation(s) in " +
            `the same command: ${both.join(", ")}`,
    );
  }
  return { set, remove };
}

function refuseValue(word: string, value: string): void {
  const [why] = labelValue(value);
  if (why) throw new CommandError(`invalid label value: "${word}": ${why}`);
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

function marked(before: Labels | undefined, { set, remove }: Changes): Labels {
  const all = Object.entries({ ...before, ...Object.fromEntries(set) });
  return Object.fromEntries(all.filter(([key]) => !remove.includes(key)));
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
