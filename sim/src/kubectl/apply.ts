/**
 * kubectl apply: makes the cluster's objects like those of the manifests. On
 * the client's side it reads what is there, and creates the object or sends the
 * difference; on the server's side it sends the whole manifest.
 * Models:     kubectl/pkg/cmd/apply/{apply,patcher}.go @ v1.36
 * Leaves out: ApplySets, edit-last-applied.
 */
import { goSortedJson } from "../api/go-text.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import type { KubeObject } from "../api/types.ts";
import { checkFlags, FLAGS } from "./apply/checks.ts";
import { prune, prunedKinds, type Visited } from "./apply/prune.ts";
import { setLastApplied, viewLastApplied } from "./apply/remembered.ts";
import { applyOnServer, optionsOf } from "./apply/server.ts";
import { type Told, toldOf } from "./apply/told.ts";
import { type ApplyPatch, patchFor } from "./apply-patch.ts";
import { type Args, parseArgs } from "./args.ts";
import {
  type Command,
  type Environment,
  throwAll,
  wrongUse,
} from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { LAST_APPLIED, withLastApplied } from "./last-applied.ts";
import { type Manifest, readManifests, requireFiles } from "./manifests.ts";
import { dryRunOf } from "./print/done.ts";
import { problemsOf } from "./problem.ts";

export const apply: Command = async (argv, env) => {
  const [word, ...rest] = argv;
  if (word === "view-last-applied") return viewLastApplied(rest, env);
  if (word === "set-last-applied") return setLastApplied(rest, env);
  const args = parseArgs(argv, FLAGS);
  if (args.words.length > 0)
    throw wrongUse("apply", `Unexpected args: [${args.words.join(" ")}]`);
  requireFiles(args);
  const kinds = args.on("prune") ? prunedKinds(args, env) : [];
  checkFlags(args);
  const visited = await applyAll(args, env);
  if (args.on("prune")) await prune(kinds, visited, args, env);
  return 0;
};

async function applyAll(args: Args, env: Environment): Promise<Visited> {
  const { items, errors } = readManifests(args, env, "apply");
  const failed: unknown[] = [...errors];
  const own = args.get("namespace");
  const namespaces = new Set(own === undefined ? [] : [own]);
  const told = toldOf(args, env);
  const visited = { uids: new Set<string>(), namespaces };
  for (const manifest of items) {
    const { namespace } = manifest.object.metadata;
    if (namespace) namespaces.add(namespace);
    try {
      const one = args.on("server-side") ? applyOnServer : applyHere;
      const { metadata } = await one(manifest, args, env, told);
      visited.uids.add(metadata.uid ?? "");
    } catch (error) {
      failed.push(error);
      if (!(error instanceof StatusError)) continue;
      const { place } = manifest;
      for (const problem of problemsOf(error, place)) env.problem?.(problem);
    }
  }
  throwAll(failed);
  told.end();
  return visited;
}

// region: apply-here
async function applyHere(
  manifest: Manifest,
  args: Args,
  env: Environment,
  told: Told,
): Promise<KubeObject> {
  const { kind, object, place } = manifest;
  const { namespace = "", name } = object.metadata;
  const wanted = withLastApplied(object);
  const options = optionsOf(args, "kubectl-client-side-apply");
  const live = await read(manifest, env);
  const dry = dryRunOf(args) === "client";
  if (!live) {
    try {
      const made = dry
        ? wanted
        : await env.client.create(kind, wanted, options);
      told.tell(kind, made, "created");
      return made;
    } catch (error) {
      throw whileDoing(error, "creating", place.file);
    }
  }
  if (dry) {
    told.tell(kind, live, "configured");
    return live;
  }
  warnIfNotApplied(live, manifest, env);
  const { patchType, body } = patchFor(manifest, wanted, live, env);
  if (Object.keys(body).length === 0) {
    told.tell(kind, live, "unchanged");
    return live;
  }
  try {
    const { client } = env;
    const more = { options };
    const after = await client.patch(
      kind,
      namespace,
      name,
      patchType,
      body,
      more,
    );
    told.tell(kind, after, "configured");
    return after;
  } catch (error) {
    throw whileDoing(
      error,
      patching({ patchType, body }, manifest),
      place.file,
    );
  }
}
// endregion: apply-here

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

function warnIfNotApplied(
  { metadata }: KubeObject,
  { kind, object }: Manifest,
  env: Environment,
): void {
  if (metadata.annotations?.[LAST_APPLIED] !== undefined) return;
  env.err(
    `Warning: resource ${kind.resource}/${object.metadata.name} is missing ` +
      `the ${LAST_APPLIED} annotation which is required by kubectl apply. ` +
      "kubectl apply should only be used on resources created declaratively " +
      "by either kubectl create --save-config or kubectl apply. The missing " +
      "annotation will be patched automatically.",
  );
}

/** What stands before the server's words when it refuses a change. */
function patching({ body }: ApplyPatch, { kind, object }: Manifest): string {
  const { group, version, resource } = kind;
  const { name, namespace = "" } = object.metadata;
  const path = group ? `${group}/${version}` : `/${version}`;
  return (
    `applying patch:\n${goSortedJson(body)}\nto:\n` +
    `Resource: "${path}, Resource=${resource}", ` +
    `GroupVersionKind: "${path}, Kind=${kind.kind}"\n` +
    `Name: "${name}", Namespace: "${namespace}"\nfor:`
  );
}
