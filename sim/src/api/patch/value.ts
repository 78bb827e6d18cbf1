/**
 * JSON values under a patch: told apart, compared, never changed in place.
 */
import type { Json, JsonObject } from "../types.ts";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Equal as JSON; the order of keys is free, undefined counts as absent. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    return a.every((item, i) => jsonEqual(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = keysOf(a);
  if (keys.length !== keysOf(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]),
  );
}

function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** Whether the object itself has the key with a value, null included. */
export function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

const own = { writable: true, enumerable: true, configurable: true };

/** Sets a key of an object that is ours, whatever its name. */
export function setKey(
  into: Record<string, Json>,
  key: string,
  value: Json,
): void {
  if (key !== "__proto__") into[key] = value;
  else Object.defineProperty(into, key, { ...own, value });
}

/** A copy with one key set, whatever its name ("__proto__" too). */
export function withKey(
  value: JsonObject,
  key: string,
  child: Json,
): JsonObject {
  return { ...value, [key]: child };
}

/** A copy without one key. */
export function withoutKey(value: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = value;
  return rest;
}

/**
 * A copy to merge into, without the keys that the patch takes away: to delete
 * them from the copy later would leave an object that is slow and large.
 */
export function copyToMerge(
  original: JsonObject,
  patch: JsonObject,
): Record<string, Json> {
  if (!takesAway(patch, original)) return { ...original };
  const copy: Record<string, Json> = {};
  for (const key in original)
    if (patch[key] !== null) setKey(copy, key, original[key]);
  return copy;
}

function takesAway(patch: JsonObject, original: JsonObject): boolean {
  for (const key in patch)
    if (patch[key] === null && key in original) return true;
  return false;
}
