/**
 * JSON merge patch.
 * Models:     RFC 7386; gopkg.in/evanphx/json-patch.v4 merge.go as
 *             kube-apiserver 1.36 uses it
 */
import type { Json, JsonObject } from "../types.ts";
import {
  has,
  isList,
  isObject,
  jsonEqual,
  withKey,
  withoutKey,
} from "./value.ts";

/**
 * `target` with `patch` applied. Onto another patch, nulls stay in: they are
 * deletions that are still to be sent.
 */
export function mergePatch(
  target: Json | undefined,
  patch: Json,
  onto: "object" | "patch" = "object",
): Json {
  if (!isObject(patch)) return patch;
  let result: JsonObject = isObject(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const before = result[key];
    if (value === null && onto === "object") result = withoutKey(result, key);
    else if (isObject(before)) {
      result = withKey(result, key, mergePatch(before, value, onto));
    } else {
      const added = onto === "object" ? withoutNulls(value) : value;
      result = withKey(result, key, added);
    }
  }
  return result;
}

/** What lands where nothing was keeps no field that is null; a list's items stay. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, withoutNulls(child)]),
  );
}

/** The patch that turns `original` into `modified`. */
export function createMergePatch(
  original: JsonObject,
  modified: JsonObject,
): JsonObject {
  const patch: Record<string, Json> = {};
  for (const [key, value] of Object.entries(modified)) {
    if (value === undefined) continue;
    const before = original[key];
    if (isObject(before) && isObject(value)) {
      const inner = createMergePatch(before, value);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (!has(original, key) || !jsonEqual(before, value))
      patch[key] = value;
  }
  for (const key of Object.keys(original)) {
    if (!has(modified, key)) patch[key] = null;
  }
  return patch;
}
