/**
 * The difference that an error shows when a Pod's spec may not change: both
 * specs as upstream's internal structs print them, with every empty field.
 * Models: ValidatePodUpdate in pkg/apis/core/validation/validation.go,
 *         apimachinery/pkg/util/diff @ v1.36
 */
import { jsonDiff } from "../text-diff.ts";
import type { JsonObject } from "../types.ts";
import { internalPodSpec } from "./internal-json.ts";

/** A unified diff of both, one field a line. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  return jsonDiff(internalPodSpec(before), internalPodSpec(after));
}
