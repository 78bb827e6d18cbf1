/**
 * kubectl apply: makes the cluster's objects like those of the manifests. On
 * the client's side it reads what is there, and creates the object or sends the
 * difference; on the server's side it sends the whole manifest.
 * Models:     kubectl/pkg/cmd/apply/{apply,patcher}.go @ v1.36
 * Leaves out: --prune, kustomize, the move from client's to server's side.
 */
import { isConflict, isNotFound, StatusError } from "../api/status.ts";
import type { RequestOptions } from "../api/transport.ts";
import type { KubeObject } from "../api/types.ts";
import { type ApplyPatch, patchFor } from "./apply-patch.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { whileDoing } from "./errors.ts";
import { goJson, LAST_APPLIED, withLastApplied } from "./last-applied.ts";
import { type Manifest, readManifests } from "./manifests.ts";
import {
  dryRunOf,
  fieldValidation,
  printDone,
  writeOptions,
} from "./print/done.ts";
import { problemsOf } from "./problem.ts";

const FLAGS = flags(
  "server-side force-conflicts force overwrite prune wait timeout:value",
  OUTPUT,
  SELECT,
);

export const apply: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const { items, errors } = readManifests(args, env, "apply");
  const failed: unknown[] = [...errors];
  for (const manifest of items) {
    try {
      if (args.on("server-side")) await applyOnServer(manifest, args, env);
      else await applyHere(manifest, args, env);
    } catch (error) {
      failed.push(error);
      if (!(error instanceof StatusError)) continue;
      const { place } = manifest;
      for (const problem of problemsOf(error, place)) env.problem?.(problem);
    }
  }
  throwAll(failed);
  return 0;
};

// region: apply-here
async function applyHere(
  manifest: Manifest,
  args: Args,
  env: Environment,
): Promise<void> {
  const { kind, object, place } = manifest;
  const { namespace = "", name } = object.metadata;
  const wanted = withLastApplied(object);
  const options = optionsOf(args, "kubectl-client-side-apply");
  const live = await read(manifest, env);
  const dry = dryRunOf(args) === "client";
  if (!live) {
    try {
      const made = dry
        ? object
        : await env.client.create(kind, wanted, options);
      return printDone(args, env, kind, made, "created");
    } catch (error) {
      throw whileDoing(error, "creating", place.file);
    }
  }
  warnIfNotApplied(live, manifest, env);
  const { patchType, body } = patchFor(manifest, wanted, live, env);
  if (Object.keys(body).length === 0) {
    return printDone(args, env, kind, live, "unchanged");
  }
  try {
    const { client } = env;
    const more = { options };
    const after = dry
      ? live
      : await client.patch(kind, namespace, name, patchType, body, more);
    printDone(args, env, kind, after, "configured");
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

function optionsOf(args: Args, manager: string): RequestOptions {
  return {
    ...writeOptions(args, manager),
    fieldValidation: fieldValidation(args),
  };
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
    `applying patch:\n${goJson(body)}\nto:\n` +
    `Resource: "${path}, Resource=${resource}", ` +
    `GroupVersionKind: "${path}, Kind=${kind.kind}"\n` +
    `Name: "${name}", Namespace: "${namespace}"\nfor:`
  );
}

async function applyOnServer(
  { kind, object }: Manifest,
  args: Args,
  env: Environment,
): Promise<void> {
  const { namespace = "", name } = object.metadata;
  const force = args.on("force-conflicts");
  const options = { ...optionsOf(args, "kubectl"), force };
  const type = "application/apply-patch+yaml";
  try {
    const { client } = env;
    const more = { options };
    const after = await client.patch(kind, namespace, name, type, object, more);
    printDone(args, env, kind, after, "serverside-applied");
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new CommandError(`${(error as StatusError).message}\n${CONFLICT}`);
  }
}

const CONFLICT = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;
