/**
 * kubectl apply, client side: reads what is there, and creates the object or
 * sends the difference between the manifest, what was applied last (kept in
 * an annotation) and what is live.
 * Models:     kubectl/pkg/cmd/apply/{apply,patcher}.go @ v1.36
 * Leaves out: --prune, --recursive, kustomize.
 */
import { threeWayJsonPatch, threeWayPatch } from "../api/patch/three-way.ts";
import { groupResource } from "../api/resource.ts";
import { isNotFound, StatusError } from "../api/status.ts";
import type { JsonObject, KubeObject } from "../api/types.ts";
import { parseArgs } from "./args.ts";
import type { Command, Environment } from "./environment.ts";
import { serverError } from "./errors.ts";
import { lastAppliedOf, withLastApplied } from "./last-applied.ts";
import { type Manifest, readManifests } from "./manifests.ts";
import { problemsOf } from "./problem.ts";

const FLAGS = {
  filename: { kind: "value", short: "f" },
  "server-side": { kind: "switch" },
  "force-conflicts": { kind: "switch" },
  "field-manager": { kind: "value" },
} as const;

export const apply: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  const { items, failed } = readManifests(args, env);
  const serverSide = args.on("server-side");
  let code = failed ? 1 : 0;
  for (const manifest of items) {
    try {
      const done = serverSide
        ? await applyServerSide(manifest, args.on("force-conflicts"), env)
        : await applyOne(manifest, env);
      env.out(`${nameOf(manifest)} ${done}`);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      code = 1;
      const { file } = manifest.place;
      env.err(serverError(error, `error when applying "${file}"`));
      for (const problem of problemsOf(error, manifest.place)) {
        env.problem?.(problem);
      }
    }
  }
  return code;
};

/** `deployment.apps/web` */
export function nameOf({ kind, object }: Manifest): string {
  const resource = groupResource({ ...kind, resource: kind.singular });
  return `${resource}/${object.metadata.name}`;
}

async function applyOne(
  manifest: Manifest,
  env: Environment,
): Promise<"created" | "configured" | "unchanged"> {
  const { kind, object } = manifest;
  const { namespace = "", name } = object.metadata;
  const wanted = withLastApplied(object);
  const options = {
    fieldManager: "kubectl-client-side-apply",
    fieldValidation: "Strict",
  } as const;
  let live: KubeObject;
  try {
    live = await env.client.get(kind, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await env.client.create(kind, wanted, options);
    return "created";
  }
  const patch = patchFor(manifest, wanted, live, env);
  if (Object.keys(patch.body).length === 0) return "unchanged";
  const { patchType, body } = patch;
  await env.client.patch(kind, namespace, name, patchType, body, { options });
  return "configured";
}

function patchFor(
  { kind, object }: Manifest,
  wanted: KubeObject,
  live: KubeObject,
  env: Environment,
) {
  const ways = {
    lastApplied: lastAppliedOf(live) ?? {},
    manifest: json(wanted),
    live: json(live),
  };
  const builtIn = env.kinds.kindOf(object.apiVersion, object.kind) === kind;
  if (builtIn && kind.struct !== "") {
    const patchType = "application/strategic-merge-patch+json" as const;
    const body = threeWayPatch(ways, kind.struct, env.kinds.schemas);
    return { patchType, body };
  }
  const patchType = "application/merge-patch+json" as const;
  return { patchType, body: threeWayJsonPatch(ways) };
}

function json(object: KubeObject): JsonObject {
  return object as KubeObject & JsonObject;
}

async function applyServerSide(
  { kind, object }: Manifest,
  force: boolean,
  env: Environment,
): Promise<"serverside-applied"> {
  const { namespace = "", name } = object.metadata;
  await env.client.patch(
    kind,
    namespace,
    name,
    "application/apply-patch+yaml",
    object,
    { options: { fieldManager: "kubectl", force, fieldValidation: "Strict" } },
  );
  return "serverside-applied";
}
