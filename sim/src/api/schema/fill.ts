/**
 * What a struct is given for fields that were not sent: defaults, and the zeros
 * of required fields.
 * Models: pkg/apis, each v1/defaults.go; encoding/json without omitempty @ v1.36
 */
import type { Field, TypeRef } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { type Place, zeroOf } from "./scalars.ts";

export type Decode = (value: Json, at: Place) => Json;

/** What an absent field is filled in with. */
interface Filling {
  readonly name: string;
  readonly value: (at: Place) => Json;
}

/** Writes into `out` if it is ours already, else into a copy of it. */
export function fillIn(
  out: JsonObject,
  sent: JsonObject,
  fillings: readonly Filling[],
  at: Place,
): JsonObject {
  let copy: Record<string, Json> | undefined = out === sent ? undefined : out;
  for (const { name, value } of fillings) {
    if (out[name] !== undefined) continue;
    copy ??= { ...out };
    copy[name] = value(at);
  }
  return copy ?? out;
}

type DecoderOf = (type: TypeRef) => Decode;

export function defaultOf(
  { name, type, default: fixed }: Field,
  decoderOf: DecoderOf,
): Filling[] {
  if (fixed === undefined) return [];
  return isStruct(type)
    ? [emptyStruct(name, decoderOf(type))]
    : [{ name, value: () => fixed }];
}

export function alwaysWritten(
  { name, type, mode }: Field,
  decoderOf: DecoderOf,
): Filling[] {
  if ((mode !== "!" && mode !== "+") || type.of) return [];
  if (isStruct(type)) return [emptyStruct(name, decoderOf(type))];
  const zero = zeroOf(type.name);
  return zero === undefined ? [] : [{ name, value: () => zero }];
}

function emptyStruct(name: string, decode: Decode): Filling {
  const empty: Json = Object.freeze({});
  return { name, value: (at) => decode(empty, at) };
}

function isStruct(type: TypeRef): boolean {
  return /^[A-Z]/.test(type.name);
}
