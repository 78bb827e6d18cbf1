/**
 * Prepares a value of a patch that lands where nothing was.
 * Models:     strategicpatch/patch.go, discardNullValuesFromPatch,
 *             removeDirectives @ v1.36
 */
import type { Json, JsonObject } from "../types.ts";
import { directive } from "./directives.ts";
import { has, isList, isObject } from "./value.ts";

/** Without the fields that are null, at every depth; itself if there are none. */
export function withoutNulls(value: Json): Json {
  if (typeof value !== "object" || !someIn(value, isNull)) return value;
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, withoutNulls(child)]),
  );
}

/** Whether a field of the value, at any depth, passes the test. */
function someIn(
  value: Json,
  test: (child: Json, key: string) => boolean,
): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (someIn(item, test)) return true;
    return false;
  }
  const fields = value as JsonObject;
  for (const key in fields) {
    const child = fields[key];
    if (test(child, key) || someIn(child, test)) return true;
  }
  return false;
}

function isNull(child: Json): boolean {
  return child === null;
}

function isDirective(_: Json, key: string): boolean {
  return key === directive;
}

export function isKept(value: Json | undefined): boolean {
  return value !== undefined;
}

/** Without objects that carry `$patch`; undefined if it is one itself. */
export function withoutDirectives(value: Json): Json | undefined {
  if (typeof value !== "object" || !someIn(value, isDirective)) return value;
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
