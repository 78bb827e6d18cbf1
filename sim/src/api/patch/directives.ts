/**
 * The words with a meaning of their own in a strategic merge patch.
 * Models:     apimachinery/pkg/util/mergepatch, strategicpatch @ v1.36
 */
import { goTypeOf, goValue } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import { has, isList, isObject } from "./value.ts";

export const directive = "$patch";
export const retainKeys = "$retainKeys";
export const deletionPrefix = "$deleteFromPrimitiveList";
export const orderPrefix = "$setElementOrder";

/** A patch that upstream refuses, in its words. */
export class PatchError extends Error {}

export function badPatchType(
  type: Json | undefined,
  patch: JsonObject,
): PatchError {
  return new PatchError(
    `unknown patch type: ${goValue(type)} in map: ${goValue(patch)}`,
  );
}

export function noMergeKey(item: JsonObject, key: string): PatchError {
  return new PatchError(
    `map: ${goValue(item)} does not contain declared merge key: ${key}`,
  );
}

export const badRetainKeys = "invalid patch format of retainKeys";
export const badOrderList = "invalid patch format of setElementOrder list";
export const badDeletionList = "invalid patch format of primitive list";

/** `value` as an object. Throws upstream's complaint. */
export function objectOf(value: Json | undefined): JsonObject {
  if (isObject(value)) return value;
  throw wrongType("map[string]interface {}", value);
}

/** `value` as a list. Throws upstream's complaint. */
export function listOf(value: Json | undefined): readonly Json[] {
  if (isList(value)) return value;
  throw wrongType("[]interface {}", value);
}

function wrongType(wanted: string, value: Json | undefined): PatchError {
  return new PatchError(
    `expected a ${wanted}, but received a ${goTypeOf(value)}`,
  );
}

/** The value of an item's merge key. Throws if it has none. */
export function mergeKeyOf(item: Json | undefined, key: string): Json {
  const object = objectOf(item);
  if (!has(object, key)) throw noMergeKey(object, key);
  return object[key];
}

/** The field that `$setElementOrder/containers` speaks of. */
export function fieldAfter(prefix: string, key: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) {
    throw new PatchError(
      prefix === orderPrefix ? badOrderList : badDeletionList,
    );
  }
  return key.slice(slash + 1);
}

const DOLLAR = 36;

export function isDirective(key: string): boolean {
  return key.charCodeAt(0) === DOLLAR;
}

/** Most patches have none: then there is nothing to look for. */
export function hasDirective(patch: JsonObject): boolean {
  for (const key in patch) if (isDirective(key)) return true;
  return false;
}
