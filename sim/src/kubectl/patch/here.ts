/**
 * A patch applied by kubectl itself: for files, and for show.
 * Models:     kubectl/pkg/cmd/patch/patch.go (getPatchedJSON) @ v1.36
 */
import type { Kind } from "../../api/kinds/definition.ts";
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonPatch,
} from "../../api/patch/json.ts";
import { mergePatch } from "../../api/patch/merge.ts";
import { strategicMerge } from "../../api/patch/strategic.ts";
import type { PatchType } from "../../api/transport.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import { CommandError, type Environment } from "../environment.ts";
import { jsonOf, typed } from "../objects.ts";

export function patchedHere(
  kind: Kind,
  object: KubeObject,
  type: PatchType,
  patch: Json,
  { kinds }: Environment,
): KubeObject {
  const whole = jsonOf(object);
  if (type === "application/json-patch+json") {
    try {
      const operations = patch as object as readonly JsonPatchOperation[];
      return typed(jsonPatch(whole, operations) as never);
    } catch (error) {
      if (error instanceof JsonPatchError)
        throw new CommandError(error.message);
      throw error;
    }
  }
  if (type === "application/merge-patch+json" || kind.struct === "")
    return typed(mergePatch(whole, patch) as never);
  const changes = patch as JsonObject;
  const after = strategicMerge(whole, changes, kind.struct, kinds.schemas);
  return typed(after as never);
}
