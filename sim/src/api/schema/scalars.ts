/**
 * Plain values of a schema: how each is read, what its error says, and what
 * it is when nothing was sent.
 * Models: encoding/json, apimachinery/pkg/{api/resource,util/intstr},
 *         apimachinery/pkg/apis/meta/v1/{time,micro_time}.go @ v1.36
 */
import {
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  milliValue,
  parseQuantity,
  type Quantity,
  QuantityError,
} from "../quantity.ts";
import type { TypeRef } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { microTime, SECONDS_MAX, utcSeconds } from "./times.ts";

/** A body that cannot be read as its kind: HTTP 400. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** Where decoding is, and what it has found so far. */
export interface Place {
  /** Field names, `[0` for an item of a list, `{key` for one of a map. */
  readonly path: string[];
  /** The struct that holds the field. */
  struct: string;
  readonly unknown: string[];
  /** Whether `path` is kept: not in the first pass, which is the fast one. */
  readonly tracking: boolean;
  readonly defaulting: boolean;
  /** What is stored in this place: parts of it need no second look. */
  stored?: JsonObject | readonly Json[];
  /** The first wrong type; decoding goes on, as upstream's does. */
  error?: DecodeError;
}

export type Scalar = (value: Json, at: Place) => Json;

/** Remembers that `value` is not of the type, and skips it. */
export function saveMismatch(value: Json, type: string, at: Place): Json {
  at.error ??= new DecodeError(mismatchText(wordOf(value), type, at));
  return undefined;
}

function mismatchText(word: string, type: string, at: Place): string {
  const path = at.path.filter((part) => !/^[[{]/.test(part)).join(".");
  const target = path ? `struct field ${at.struct}.${path}` : "value";
  return `json: cannot unmarshal ${word} into Go ${target} of type ${type}`;
}

function wordOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** The name in error texts: `int32`, `[]v1.Container`, `map[string]string`. */
export function goType(type: TypeRef): string {
  if (type.shape === "list") return `[]${goType(type.of ?? type)}`;
  if (type.shape === "map") return mapType(type.of ?? type);
  return goNames[type.name] ?? `v1.${type.name}`;
}

function mapType(of: TypeRef): string {
  return of.name === "q" ? "v1.ResourceList" : `map[string]${goType(of)}`;
}

const goNames: { readonly [letter: string]: string } = {
  ...{
    s: "string",
    i: "int32",
    l: "int64",
    f: "float64",
    b: "bool",
    y: "[]uint8",
  },
  ...{ q: "resource.Quantity", o: "intstr.IntOrString", t: "v1.Time" },
  ...{ m: "v1.MicroTime", r: "runtime.RawExtension" },
};

/** What is written for a required field that was not sent; else undefined. */
export function zeroOf(letter: string): Json {
  const zeros: { readonly [letter: string]: Json } = {
    ...{ s: "", i: 0, l: 0, f: 0, b: false, q: "0" },
    ...{ o: 0, t: null, m: null },
  };
  return zeros[letter];
}

function whole(type: string, limit: number): Scalar {
  return (value, at) => {
    if (typeof value !== "number") return saveMismatch(value, type, at);
    if (Number.isInteger(value) && value >= -limit && value < limit)
      return value;
    at.error ??= new DecodeError(mismatchText(`number ${value}`, type, at));
    return undefined;
  };
}

function fatal(text: string): never {
  throw new DecodeError(text);
}

type Reader = (text: string) => string;

const canonical = new Map<string, string>();
const rounded = new Map<string, string>();

/** Quantities are kept in the form that upstream writes: `1000m` is `1`. */
function quantity(cache: Map<string, string>, read: Reader): Scalar {
  return (value) => {
    if (typeof value !== "string" && typeof value !== "number") {
      return badQuantity();
    }
    const text = String(value);
    let found = cache.get(text);
    if (found === undefined) {
      if (cache.size >= 10_000) cache.clear();
      found = readable(text, read);
      cache.set(text, found);
    }
    return found;
  };
}

function readable(text: string, read: Reader): string {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof QuantityError) return fatal(error.message);
    throw error;
  }
}

/** Amounts of resources are counted in thousandths at the finest. */
function roundedUp(text: string): string {
  const read = parseQuantity(text.trim());
  const unscaled = milliValue(read);
  const whole: Quantity = { ...read, unscaled, exponent: -3, text: "" };
  return compareQuantities(read, whole) === 0
    ? formatQuantity(read)
    : formatQuantity(whole);
}

const exact = quantity(canonical, canonicalQuantity);
const thousandths = quantity(rounded, roundedUp);

function badQuantity(): never {
  return fatal(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** RFC 3339; kept in UTC and whole seconds (micro: six decimals). */
function time(layout: string, micro: boolean): Scalar {
  const kept = new Set<Json>();
  return (value) => {
    if (kept.has(value)) return value;
    if (typeof value !== "string")
      return badTime(JSON.stringify(value), layout);
    if (!timeForm.test(value)) return badTime(value, layout);
    if (micro) return microTime(value);
    if (value.length !== 20) return `${utcSeconds(value)}Z`;
    if (kept.size >= SECONDS_MAX) kept.clear();
    kept.add(value);
    return value;
  };
}

function badTime(text: string, layout: string): never {
  const rest = /^\d{4}-\d\d-\d\d$/.test(text) ? "" : text;
  const part = rest ? "2006" : "T";
  return fatal(
    `parsing time "${text}" as "${layout}": cannot parse "${rest}" as "${part}"`,
  );
}

const base64 =
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** One decoder for each letter of the notation; `Q` is a `q` in a map. */
export const scalarDecoders: { readonly [letter: string]: Scalar } = {
  s: (value, at) =>
    typeof value === "string" ? value : saveMismatch(value, "string", at),
  b: (value, at) =>
    typeof value === "boolean" ? value : saveMismatch(value, "bool", at),
  i: whole("int32", 2 ** 31),
  l: whole("int64", 2 ** 63),
  f: (value, at) =>
    typeof value === "number" ? value : saveMismatch(value, "float64", at),
  q: exact,
  Q: (value, at) => (at.defaulting ? thousandths : exact)(value, at),
  o: (value, at) => {
    if (typeof value === "string") return value;
    if (typeof value === "number" && Number.isInteger(value)) return value;
    return fatal(mismatchText(wordOf(value), "int32", at));
  },
  t: time("2006-01-02T15:04:05Z07:00", false),
  m: time("2006-01-02T15:04:05.000000Z07:00", true),
  y: (value, at) => {
    if (typeof value !== "string") return saveMismatch(value, "[]uint8", at);
    if (base64.test(value)) return value;
    const bad = /[^A-Za-z0-9+/]/.exec(value)?.index ?? value.length;
    at.error ??= new DecodeError(`illegal base64 data at input byte ${bad}`);
    return undefined;
  },
  r: (value) => value,
};
