/**
 * Prepares a value of a patch that lands where nothing was.
 * Models:     strategicpatch/patch.go, discardNullValuesFromPatch,
 *             removeDirectives @ v1.36
 */
import type { Json } from "../types.ts";
import { directive } from "./directives.ts";
import { has, isList, isObject } from "./value.ts";

/** Without the fields that are null, at every depth. */
export function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, withoutNulls(child)]),
  );
}

export function isKept(value: Json | undefined): boolean {
  return value !== undefined;
}

/** Without objects that carry `$patch`; undefined if it is one itself. */
export function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) {
    return value.map(withoutDirectives).filter(isKept);
  }
  if (!isObject(value)) return value;
  if (has(value, directive)) return undefined;
  const entries = Object.entries(value).map(
    ([key, child]) => [key, withoutDirectives(child)] as const,
  );
  return Object.fromEntries(entries.filter(([, child]) => child !== undefined));
}
