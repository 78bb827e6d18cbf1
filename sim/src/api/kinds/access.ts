/**
 * Reads fields of objects whose shape the schema has checked already. A field
 * that is not there reads as empty, as it does in upstream's structs.
 * Models: Go's zero values
 */
import type { Json, JsonObject } from "../types.ts";

export function obj(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

export function map(value: unknown): { readonly [key: string]: string } {
  return obj(value) as { readonly [key: string]: string };
}

export function str(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function num(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** `a.b.c` of an object. */
export function at(value: unknown, ...names: readonly string[]): Json {
  let found: unknown = value;
  for (const name of names) found = obj(found)[name];
  return found as Json;
}

/** `value` with some fields replaced; itself if they are so already. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  for (const name in fields) {
    if (fields[name] !== value[name])
      return Object.assign({ ...value }, fields);
  }
  return value;
}

/** `value` without a field; itself if it has none. */
export function without<T extends object>(value: T, name: keyof T & string): T {
  if (value[name] === undefined) return value;
  const copy = { ...value };
  delete copy[name];
  return copy;
}

/** Maps a list; the list itself if no item changes. */
export function mapShared(
  value: Json,
  change: (item: JsonObject, index: number) => JsonObject,
): Json {
  if (!Array.isArray(value)) return value;
  let changed = false;
  const out = value.map((item: JsonObject, i) => {
    const next = change(item, i);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? out : value;
}

/** Whether two JSON values say the same; key order is free. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
    return true;
  }
  if (
    typeof a !== "object" ||
    typeof b !== "object" ||
    !a ||
    !b ||
    Array.isArray(b)
  ) {
    return (a ?? null) === (b ?? null);
  }
  const left = a as JsonObject;
  const right = b as JsonObject;
  for (const key in left) if (!same(left[key], right[key])) return false;
  for (const key in right)
    if (left[key] === undefined && right[key] != null) return false;
  return true;
}
