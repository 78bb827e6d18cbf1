/**
 * Turns what a client sent into what the server keeps, as decoding into
 * upstream's Go structs and writing them out again does: wrong types refused,
 * unknown fields named and dropped, empty optional fields dropped, required
 * ones written, defaults filled in. Unchanged parts are shared; an object that
 * needs no change is given back itself.
 * Models:     sigs.k8s.io/json, apimachinery/pkg/runtime/serializer/json,
 *             pkg/apis, each v1/defaults.go @ v1.36
 * Leaves out: duplicate keys of a JSON object (lost before we see them).
 * Longer because: each shape of a field has its decoder, side by side.
 */
import type { Field, Schemas, Struct, TypeRef } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import {
  fieldsBefore,
  isObject,
  listDecoder,
  mapDecoder,
} from "./collections.ts";
import { alwaysWritten, type Decode, defaultOf, fillIn } from "./fill.ts";
import {
  DecodeError,
  goType,
  type Place,
  saveMismatch,
  scalarDecoders,
} from "./scalars.ts";

export { DecodeError };

/** A rule of one struct that a fixed default cannot say. Pure; shares parts. */
export type Hook = (value: JsonObject) => JsonObject;
export type Hooks = { readonly [struct: string]: Hook };

export interface Decoded {
  readonly object: JsonObject;
  /** `spec.replicaz`, `spec.containers[0].foo`; in the order met. */
  readonly unknown: readonly string[];
}

/** Decoders of all structs of `schemas`, built when first used. */
export class Codec {
  readonly schemas: Schemas;
  private readonly hooks: Hooks;
  private readonly decoders = new Map<string, Decode>();

  constructor(schemas: Schemas, hooks: Hooks) {
    this.schemas = schemas;
    this.hooks = hooks;
  }

  /**
   * Decodes `value` as struct `name`, with defaults unless told otherwise.
   * `stored`: what came out of it before; parts that are the same object
   * are taken as they are. Throws DecodeError with upstream's text on a
   * wrong type.
   */
  decode(
    name: string,
    value: unknown,
    defaulting = true,
    stored?: JsonObject,
  ): Decoded {
    if (stored && value === stored) return { object: stored, unknown: none };
    const decode = this.decoder(name);
    // Almost all is well-formed: where a fault lies is asked for in a second pass.
    const fast = placeFor(false, defaulting, stored);
    const object = attempt(decode, value, fast);
    if (object && !fast.error && fast.unknown.length === 0)
      return { object, unknown: none };
    const slow = placeFor(true, defaulting, stored);
    const again = decode(value as Json, slow);
    if (slow.error) throw slow.error;
    return { object: again as JsonObject, unknown: slow.unknown };
  }

  private decoder(name: string): Decode {
    const known = this.decoders.get(name);
    if (known) return known;
    const struct = this.schemas.struct(name);
    // A struct may hold itself: the name resolves at the first call.
    const decode = structDecoder(
      struct,
      (type) => this.typeDecoder(type),
      this.hooks[name],
    );
    this.decoders.set(name, decode);
    return decode;
  }

  private typeDecoder(type: TypeRef): Decode {
    if (type.of) {
      const whole = goType(type);
      const of = this.typeDecoder(type.of);
      if (type.shape === "list") return listDecoder(of, type.of, whole);
      const amounts = type.of.name === "q" && scalarDecoders.Q;
      return mapDecoder(amounts || of, whole);
    }
    const scalar = scalarDecoders[type.name];
    if (scalar) return scalar;
    let decode: Decode | undefined;
    return (value, at) => (decode ??= this.decoder(type.name))(value, at);
  }
}

const none: readonly string[] = Object.freeze([]);

function placeFor(
  tracking: boolean,
  defaulting: boolean,
  stored?: JsonObject,
): Place {
  return { path: [], struct: "", unknown: [], tracking, defaulting, stored };
}

function attempt(
  decode: Decode,
  value: unknown,
  at: Place,
): JsonObject | undefined {
  try {
    return decode(value as Json, at) as JsonObject;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

interface FieldDecoder {
  readonly decode: Decode;
  readonly drop: (value: Json) => boolean;
  /** It is a string: most are, and what is one needs no decoder. */
  readonly text: boolean;
  /** Null for a time that is written even when there is none. */
  readonly none: Json;
}

function structDecoder(
  struct: Struct,
  decoderOf: (type: TypeRef) => Decode,
  hook?: Hook,
): Decode {
  const fields = new Map<string, FieldDecoder>();
  for (const field of struct.fields.values()) {
    fields.set(field.name, {
      decode: decoderOf(field.type),
      drop: dropOf(field),
      text: field.type.name === "s" && !field.type.of,
      none:
        field.mode === "+" && /^[tm]$/.test(field.type.name) ? null : undefined,
    });
  }
  const always = [...struct.fields.values()].flatMap((field) =>
    alwaysWritten(field, decoderOf),
  );
  const defaults = [...struct.fields.values()].flatMap((field) =>
    defaultOf(field, decoderOf),
  );
  const whole = `v1.${struct.goName}`;
  const { goName } = struct;

  return (value, at) => {
    if (!isObject(value)) return saveMismatch(value, whole, at);
    const outer = at.struct;
    at.struct = goName;
    let out = fieldsOf(value, fields, at);
    at.struct = outer;
    if (at.defaulting) out = fillIn(out, value, defaults, at);
    out = fillIn(out, value, always, at);
    return hook && at.defaulting ? hook(out) : out;
  };
}

/** Decodes the fields in the order sent; copies only if one comes out other. */
function fieldsOf(
  value: JsonObject,
  fields: ReadonlyMap<string, FieldDecoder>,
  at: Place,
): JsonObject {
  const stored = at.stored as JsonObject | undefined;
  let copy: Record<string, Json> | undefined;
  for (const name in value) {
    const before = value[name];
    if (stored && typeof before === "object" && before !== null) {
      const kept = stored[name];
      if (before === kept) {
        if (copy) copy[name] = before;
        continue;
      }
      at.stored = typeof kept === "object" && kept ? kept : undefined;
    }
    const field = fields.get(name);
    if (at.tracking) at.path.push(name);
    let after: Json;
    if (!field) at.unknown.push(pathText(at.path));
    else if (field.text && typeof before === "string") {
      if (before !== "" || field.drop === keep) after = before;
    } else if (before !== null && before !== undefined) {
      after = field.decode(before, at);
      if (field.drop(after)) after = undefined;
    } else after = field.none;
    if (at.tracking) at.path.pop();
    if (after === before && before !== undefined) {
      if (copy) copy[name] = after;
      continue;
    }
    copy ??= fieldsBefore(value, name);
    if (after !== undefined) copy[name] = after;
  }
  at.stored = undefined;
  return copy ?? value;
}

const keep = () => false;

/** What `omitempty` leaves out of a field of this type and mode. */
function dropOf({ mode, type }: Field): (value: Json) => boolean {
  if (mode !== "") return keep;
  if (type.shape === "list")
    return (value) => Array.isArray(value) && value.length === 0;
  if (type.shape === "map") return isEmptyMap;
  return /^[silbfy]$/.test(type.name) ? (value) => !value : keep;
}

function isEmptyMap(value: Json): boolean {
  for (const _ in value as JsonObject) return false;
  return true;
}

/** `spec.containers[0].foo`. */
function pathText(path: readonly string[]): string {
  let text = "";
  for (const part of path) {
    if (part.startsWith("[")) text += `${part}]`;
    else text += (text ? "." : "") + part.replace("{", "");
  }
  return text;
}
