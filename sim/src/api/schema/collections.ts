/**
 * Lists and maps of a schema; copied only if an item comes out other.
 * Models: encoding/json, sigs.k8s.io/json @ v1.36
 */
import type { TypeRef } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import type { Decode } from "./fill.ts";
import { saveMismatch, zeroOf } from "./scalars.ts";

const none: readonly Json[] = Object.freeze([]);

export function listDecoder(of: Decode, item: TypeRef, whole: string): Decode {
  const zero = item.of ? undefined : zeroOf(item.name);
  return (value, at) => {
    if (!Array.isArray(value)) return saveMismatch(value, whole, at);
    const stored = Array.isArray(at.stored) ? at.stored : none;
    at.stored = undefined;
    let copy: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const before: Json = value[i];
      if (stored.includes(before)) continue;
      if (at.tracking) at.path.push(`[${i}`);
      const after = before === null ? (zero ?? of({}, at)) : of(before, at);
      if (at.tracking) at.path.pop();
      if (after === before) continue;
      copy ??= value.slice();
      copy[i] = after;
    }
    return copy ?? value;
  };
}

export function mapDecoder(of: Decode, whole: string): Decode {
  return (value, at) => {
    if (!isObject(value)) return saveMismatch(value, whole, at);
    let copy: Record<string, Json> | undefined;
    for (const key in value) {
      const before = value[key];
      if (at.tracking) at.path.push(`{${key}`);
      const after = before === null ? "" : of(before, at);
      if (at.tracking) at.path.pop();
      if (after !== before) copy ??= fieldsBefore(value, key);
      if (copy) copy[key] = after;
    }
    return copy ?? value;
  };
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of the fields that come before `end`. */
export function fieldsBefore(
  value: JsonObject,
  end: string,
): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (const name in value) {
    if (name === end) break;
    copy[name] = value[name];
  }
  return copy;
}
