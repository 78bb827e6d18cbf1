/**
 * The difference that an error shows when a Pod's spec may not change: both
 * specs as upstream's internal structs print them, with every empty field.
 * Models: ValidatePodUpdate in pkg/apis/core/validation/validation.go,
 *         apimachinery/pkg/util/diff @ v1.36
 */
import { unifiedDiff } from "../text-diff.ts";
import type { Json, JsonObject } from "../types.ts";
import { internalJson, internalPodSpec } from "./internal-json.ts";

/** A unified diff of both, one field a line. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  return unifiedDiff(
    lines(internalPodSpec(before)),
    lines(internalPodSpec(after)),
  );
}

/** The same of another struct. */
export function structDiff(
  struct: string,
  before: JsonObject,
  after: JsonObject,
): string {
  return unifiedDiff(
    lines(internalJson(struct, before)),
    lines(internalJson(struct, after)),
  );
}

function lines(value: Json): string[] {
  return JSON.stringify(value, null, 1).split("\n");
}
