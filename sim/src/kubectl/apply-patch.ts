/**
 * The difference that `kubectl apply` sends: between what the manifest says,
 * what was applied last, and what is live.
 * Models:     kubectl/pkg/cmd/apply/patcher.go @ v1.36
 */
import { threeWayJsonPatch, threeWayPatch } from "../api/patch/three-way.ts";
import type { PatchType } from "../api/transport.ts";
import type { JsonObject, KubeObject } from "../api/types.ts";
import type { Environment } from "./environment.ts";
import { lastAppliedOf } from "./last-applied.ts";
import type { Manifest } from "./manifests.ts";

export interface ApplyPatch {
  readonly patchType: PatchType;
  readonly body: JsonObject;
}

/** Strategic for the kinds that are built in; merge for all others. */
export function patchFor(
  { kind, object }: Manifest,
  wanted: KubeObject,
  live: KubeObject,
  env: Environment,
): ApplyPatch {
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
