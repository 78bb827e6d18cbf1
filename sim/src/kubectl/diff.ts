/**
 * kubectl diff: what an apply would change, as the server says.
 * Models:     kubectl/pkg/cmd/diff/diff.go @ v1.36
 */
import { isNotFound } from "../api/status.ts";
import { unifiedDiff } from "../api/text-diff.ts";
import type { KubeObject } from "../api/types.ts";
import { stringify } from "../api/yaml.ts";
import { patchFor } from "./apply-patch.ts";
import { readDiffArgs } from "./diff-args.ts";
import { type Command, type Environment, throwAll } from "./environment.ts";
import { errorText } from "./errors.ts";
import { type Manifest, readFiles } from "./manifests.ts";
import { jsonOf } from "./objects.ts";

interface Pair {
  readonly name: string;
  readonly live: string;
  readonly merged: string;
}

/** Exit code 1 if anything differs, more if it cannot be told. */
export const diff: Command = async (argv, env) => {
  try {
    return await compareAll(argv, env);
  } catch (error) {
    const text = errorText(error);
    if (text === undefined) throw error;
    env.err(text);
    return 2;
  }
};

async function compareAll(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const args = readDiffArgs(argv);
  const { items, errors } = readFiles(args, env);
  throwAll(errors);
  const pairs: Pair[] = [];
  for (const manifest of items) {
    pairs.push(await compare(manifest, args.on("server-side"), env));
  }
  // As `diff` reads a folder: by name.
  pairs.sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = pairs.map((pair) => diffText(pair, env)).filter(Boolean);
  if (texts.length > 0) env.out(texts.join("").replace(/\n$/, ""));
  return texts.length > 0 ? 1 : 0;
}

async function compare(
  manifest: Manifest,
  serverSide: boolean,
  env: Environment,
): Promise<Pair> {
  const { kind, object } = manifest;
  const { namespace = "", name } = object.metadata;
  const live = await read(manifest, env);
  const manager = serverSide ? "kubectl" : "kubectl-client-side-apply";
  const options = { dryRun: ["All"], fieldManager: manager };
  const { client } = env;
  let merged: KubeObject;
  if (serverSide) {
    const type = "application/apply-patch+yaml";
    merged = await client.patch(kind, namespace, name, type, object, {
      options,
    });
  } else if (live) {
    // As apply has it, but without the note of what was applied.
    const { annotations = {} } = object.metadata;
    const wanted = { ...object, metadata: { ...object.metadata, annotations } };
    const { patchType, body } = patchFor(manifest, wanted, live, env);
    merged = await client.patch(kind, namespace, name, patchType, body, {
      options,
    });
  } else merged = await client.create(kind, object, options);
  const { group, version } = kind;
  const parts = [group, version, kind.kind, namespace, name];
  return {
    name: parts.filter(Boolean).join("."),
    live: live ? textOf(live) : "",
    merged: textOf(merged),
  };
}

async function read(
  { kind, object }: Manifest,
  { client }: Environment,
): Promise<KubeObject | undefined> {
  const { namespace = "", name } = object.metadata;
  try {
    return await client.get(kind, namespace, name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function textOf(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return stringify(jsonOf({ ...object, metadata }));
}

function diffText({ name, live, merged }: Pair, env: Environment): string {
  const lines = (text: string) =>
    text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const hunks = unifiedDiff(lines(live), lines(merged));
  if (hunks === "") return "";
  const time = env.kernel
    .microTimestamp()
    .replace("T", " ")
    .replace(/(\.\d+)?Z$/, (_, part: string | undefined) => {
      return `${(part ?? ".").padEnd(10, "0")} +0000`;
    });
  const [before, after] = [`LIVE-1/${name}`, `MERGED-1/${name}`];
  return (
    `diff -u -N ${before} ${after}\n` +
    `--- ${before}\t${time}\n+++ ${after}\t${time}\n${hunks}`
  );
}
