/**
 * `--overrides`: a patch in JSON for what was made from words.
 * Models:     kubectl/pkg/cmd/util/override_options.go @ v1.36
 */
import { type JsonPatchOperation, jsonPatch } from "../../api/patch/json.ts";
import { mergePatch } from "../../api/patch/merge.ts";
import { strategicMerge } from "../../api/patch/strategic.ts";
import type { Json, JsonObject, KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { jsonOf } from "../objects.ts";

export function overridden(
  object: KubeObject,
  args: Args,
  { kinds }: Environment,
): KubeObject {
  const text = args.get("overrides");
  if (!text) return object;
  const type = args.get("override-type") || "merge";
  if (!["json", "merge", "strategic"].includes(type))
    throw new CommandError(`invalid override type: ${type}`);
  const patch = read(text);
  const whole = jsonOf(object);
  const { struct } = kinds.kindOf(object.apiVersion, object.kind)!;
  const after =
    type === "json"
      ? jsonPatch(whole, patch as object as readonly JsonPatchOperation[])
      : type === "merge"
        ? mergePatch(whole, patch)
        : strategicMerge(whole, patch as JsonObject, struct, kinds.schemas);
  return after as JsonObject & KubeObject;
}

function read(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new CommandError("Invalid JSON Patch");
  }
}
