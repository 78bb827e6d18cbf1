/**
 * Reads the objects that typed clients send as protobuf, and makes of them
 * what they would be in JSON.
 * Models: apimachinery/pkg/runtime/serializer/protobuf @ v1.36
 */
import type { Cluster } from "../../src/index.ts";
import { numbersOf } from "./numbers.ts";
import { fieldsIn, ProtobufError, type WireField } from "./wire.ts";

export const PROTOBUF = "application/vnd.kubernetes.protobuf";

type Kinds = Cluster["kinds"];
type Schemas = Kinds["schemas"];
type Struct = ReturnType<Schemas["struct"]>;
type TypeRef = Struct["fields"] extends ReadonlyMap<string, { type: infer T }> ? T : never;
type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** What stands before the envelope: "k8s" and a zero. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

/** The object in the envelope. Throws ProtobufError. */
export function decodeObject(body: Uint8Array, kinds: Kinds): Value {
  if (!MAGIC.every((byte, i) => body[i] === byte)) {
    throw new ProtobufError("the body does not begin as an object does");
  }
  // runtime.Unknown: typeMeta 1, raw 2; TypeMeta: apiVersion 1, kind 2.
  const [meta, raw] = bytesOf(body.subarray(MAGIC.length), 1, 2);
  const [version, kind] = bytesOf(meta, 1, 2).map(text) as [string, string];
  const name = kinds.kindOf(version, kind)?.struct ?? kind;
  if (!numbersOf(name)) throw new ProtobufError(`no kind ${kind} in ${version}`);
  const decoder = new Decoder(kinds.schemas);
  return { kind, apiVersion: version, ...decoder.object(kinds.schemas.struct(name), name, raw) };
}

class Decoder {
  private readonly schemas: Schemas;

  constructor(schemas: Schemas) {
    this.schemas = schemas;
  }

  /** `message` names the fields' numbers, `struct` their types. */
  object(struct: Struct, message: string, bytes: Uint8Array): { [key: string]: Value } {
    const numbers = numbersOf(message);
    if (!numbers) throw new ProtobufError(`the fields of ${message} have no numbers`);
    const out: { [key: string]: Value } = {};
    for (const wire of fieldsIn(bytes)) {
      const field = numbers.get(wire.number);
      if (!field) continue; // Newer than the table.
      if (field.inline) {
        Object.assign(out, this.object(struct, field.name, bytesIn(wire)));
        continue;
      }
      const type = struct.fields.get(field.name)?.type;
      if (type) out[field.name] = this.add(out[field.name], type, wire);
    }
    return out;
  }

  /** The field's value after one more of its kind was met. */
  private add(before: Value | undefined, type: TypeRef, wire: WireField): Value {
    if (type.shape === "list") {
      return [...((before as Value[]) ?? []), this.value(type.of!, wire)];
    }
    if (type.shape === "map") {
      let key = "";
      let value: Value = "";
      for (const part of fieldsIn(bytesIn(wire))) {
        if (part.number === 1) key = text(bytesIn(part));
        else value = this.mapped(type.of!, part);
      }
      return { ...(before as { [key: string]: Value }), [key]: value };
    }
    return this.value(type, wire);
  }

  /** A list inside a map is a message of its own, whose field 1 repeats. */
  private mapped(type: TypeRef, wire: WireField): Value {
    if (type.shape !== "list") return this.value(type, wire);
    return [...fieldsIn(bytesIn(wire))].map((item) => this.value(type.of!, item));
  }

  private value(type: TypeRef, wire: WireField): Value {
    const scalar = SCALARS[type.name];
    if (scalar) return scalar(wire);
    return this.object(this.schemas.struct(type.name), type.name, bytesIn(wire));
  }
}

/** By the letters of the schema's notation. */
const SCALARS: { readonly [letter: string]: (wire: WireField) => Value } = {
  s: (wire) => text(bytesIn(wire)),
  i: numberIn,
  l: numberIn,
  f: numberIn,
  b: (wire) => numberIn(wire) !== 0,
  y: (wire) => Buffer.from(bytesIn(wire)).toString("base64"),
  q: (wire) => text(bytesOf(bytesIn(wire), 1)[0]!),
  t: (wire) => time(bytesIn(wire), 0),
  m: (wire) => time(bytesIn(wire), 6),
  o: (wire) => {
    // Type 1 says which of int 2 and string 3 is meant.
    const parts = new Map([...fieldsIn(bytesIn(wire))].map((part) => [part.number, part]));
    const isText = (parts.get(1)?.value ?? 0) === 1;
    const word = parts.get(3)?.bytes;
    return isText ? text(word ?? new Uint8Array()) : (parts.get(2)?.value ?? 0);
  },
  // RawExtension and FieldsV1: JSON as it is.
  r: (wire) => {
    const [raw] = bytesOf(bytesIn(wire), 1);
    return raw!.length === 0 ? null : (JSON.parse(text(raw!)) as Value);
  },
};

function time(bytes: Uint8Array, digits: number): Value {
  const parts = new Map([...fieldsIn(bytes)].map(({ number, value }) => [number, value ?? 0]));
  if (parts.size === 0) return null;
  const whole = new Date((parts.get(1) ?? 0) * 1000).toISOString().slice(0, 19);
  const fraction = String(Math.floor((parts.get(2) ?? 0) / 1000)).padStart(6, "0");
  return digits === 0 ? `${whole}Z` : `${whole}.${fraction.slice(0, digits)}Z`;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function bytesIn({ bytes }: WireField): Uint8Array {
  if (!bytes) throw new ProtobufError("a number stands where a message should");
  return bytes;
}

function numberIn({ value }: WireField): number {
  if (value === undefined) throw new ProtobufError("a message stands where a number should");
  return value;
}

/** The fields of these numbers, empty where they are not there. */
function bytesOf<const T extends readonly number[]>(
  bytes: Uint8Array,
  ...numbers: T
): { [K in keyof T]: Uint8Array } {
  const found = new Map([...fieldsIn(bytes)].map((field) => [field.number, field.bytes]));
  const all = numbers.map((number) => found.get(number) ?? new Uint8Array());
  return all as { [K in keyof T]: Uint8Array };
}
