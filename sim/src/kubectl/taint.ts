/**
 * kubectl taint: `key=value:Effect` adds, `key:Effect-` or `key-` removes.
 * Models:     kubectl/pkg/cmd/taint/{taint,utils}.go @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { labelKey, labelValue } from "../api/names.ts";
import type { KubeObject } from "../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
  wrongUse,
} from "./environment.ts";
import { find, kindNamed } from "./find.ts";
import { typed } from "./objects.ts";
import { dryRunOf, printDone, writeOptions } from "./print/done.ts";
import { objectPrinterFor } from "./print/object.ts";

type Taint = NonNullable<NonNullable<Node["spec"]>["taints"]>[number];

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

interface Change {
  readonly key: string;
  readonly value: string;
  /** "": every effect, when removing. */
  readonly effect: string;
  readonly removes: boolean;
}

export const taint: Command = async (argv, env) => {
  const args = parseArgs(argv, flags("overwrite", OUTPUT, SELECT));
  const isChange = (word: string) => /[=:]|-$/.test(word);
  const first = args.words.findIndex((word, i) => i > 0 && isChange(word));
  if (args.words.length === 0)
    throw new CommandError(
      "one or more resources must be specified as <resource> <name>",
    );
  if (first < 0)
    throw new CommandError("at least one taint update is required");
  const changes = args.words.slice(first).map(readChange);
  refuseContradiction(changes);
  const objects = args.words.slice(0, first);
  if (kindNamed(objects[0]!.split("/")[0]!, env).kind !== "Node")
    throw new CommandError(
      `invalid resource type ${objects[0]}, only node types are supported`,
    );
  const verb = "taint";
  const { items, errors } = await find(args, objects, env, { verb });
  for (const { kind, object } of items) {
    const node = typed<Node>(object);
    const before = node.spec?.taints ?? [];
    if (!args.on("overwrite")) refuseOverwrite(node, before, changes);
    const after = changed(before, changes);
    objectPrinterFor(args, env);
    const taints = after.length > 0 ? after : undefined;
    const dry = dryRunOf(args) === "client";
    const said = dry
      ? { ...node, spec: { ...node.spec, taints } }
      : await write(node, taints, args, env);
    // Upstream says nothing of a dry run here.
    const told = { ...args, get: (name: string) => shown(name, args) };
    printDone(told, env, kind, said, doneText(changes, before), !dry);
  }
  throwAll(errors);
  return 0;
};

async function write(
  { metadata: { name } }: Node,
  taints: readonly Taint[] | undefined,
  args: Args,
  { client }: Environment,
): Promise<KubeObject> {
  const body = { spec: { taints: taints ?? null } };
  const type = "application/strategic-merge-patch+json";
  const options = writeOptions(args, "kubectl-taint");
  return client.patch(Node, "", name, type, body, { options });
}

function shown(name: string, args: Args): string | undefined {
  return name === "dry-run" ? undefined : args.get(name);
}

function readChange(word: string): Change {
  const removes = word.endsWith("-");
  const text = removes ? word.slice(0, -1) : word;
  const [pair = "", effect = "", ...more] = text.split(":");
  if (!removes && !text.includes(":")) {
    // Without an effect all of it is read as a key.
    const [why] = labelKey(text);
    const reason = why ? `, ${why}` : "";
    throw wrongUse("taint", `invalid taint spec: ${word}${reason}`);
  }
  const [key = "", value = "", ...others] = pair.split("=");
  if (more.length + others.length > 0)
    throw wrongUse("taint", `invalid taint spec: ${word}`);
  if ((!removes || effect) && !EFFECTS.includes(effect)) {
    throw wrongUse(
      "taint",
      effect === ""
        ? `invalid taint spec: ${word}`
        : `invalid taint effect: ${effect}, unsupported taint effect`,
    );
  }
  const [why] = [...labelKey(key), ...labelValue(value)];
  if (why) throw wrongUse("taint", `invalid taint spec: ${word}, ${why}`);
  return { key, value, effect, removes };
}

function refuseContradiction(changes: readonly Change[]): void {
  const added = changes.filter(({ removes }) => !removes);
  const seen = new Set<string>();
  for (const { key, value, effect } of added) {
    const id = `${key}:${effect}`;
    if (seen.has(id))
      throw wrongUse(
        "taint",
        "duplicated taints with the same key and effect: " +
          `{${key} ${value} ${effect} <nil>}`,
      );
    seen.add(id);
  }
  const both = changes.filter(
    (one) => one.removes && added.some((taint) => fits(taint, one)),
  );
  if (both.length === 0) return;
  const which = both.map(({ key, effect }) => `${key}=${effect}`);
  throw new CommandError(
    "can not both modify and remove the following taint(s) in the same " +
      `command: ${which.join(", ")}`,
  );
}

function fits(taint: Taint, { key, effect }: Change): boolean {
  return taint.key === key && (effect === "" || taint.effect === effect);
}

function refuseOverwrite(
  { metadata }: Node,
  before: readonly Taint[],
  changes: readonly Change[],
): void {
  const taken = changes
    .filter((one) => !one.removes && before.some((taint) => fits(taint, one)))
    .map(({ key }) => key);
  if (taken.length === 0) return;
  throw new CommandError(
    `node ${metadata.name} already has ${taken.join(",")} taint(s) with same ` +
      "effect(s) and --overwrite is false",
  );
}

function changed(
  before: readonly Taint[],
  changes: readonly Change[],
): readonly Taint[] {
  for (const one of changes) {
    if (one.removes && !before.some((taint) => fits(taint, one))) {
      const what = one.effect ? `${one.key}:${one.effect}` : one.key;
      throw new CommandError(`taint "${what}" not found`);
    }
  }
  const kept = before.filter(
    (taint) => !changes.some((one) => fits(taint, one)),
  );
  const added = changes
    .filter(({ removes }) => !removes)
    .map(({ key, value, effect }) => ({
      key,
      ...(value ? { value } : {}),
      effect: effect as Taint["effect"],
    }));
  return [...added, ...kept];
}

function doneText(
  changes: readonly Change[],
  before: readonly Taint[],
): string {
  const over = changes.some(
    (one) => !one.removes && before.some((taint) => fits(taint, one)),
  );
  if (over) return "modified";
  const removing = changes.filter(({ removes }) => removes).length;
  if (removing === 0) return "tainted";
  return removing === changes.length ? "untainted" : "modified";
}
