/** The wire format of protobuf, as far as Kubernetes uses it. */

/** A field of a message: a number, or the bytes of a text or a message. */
export type WireField =
  | { readonly number: number; readonly bytes: Uint8Array; readonly value?: undefined }
  | { readonly number: number; readonly value: number; readonly bytes?: undefined };

/** Bytes that are no protobuf message, or none that is known. */
export class ProtobufError extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The fields of a message in their order. Throws ProtobufError. */
export function* fieldsIn(message: Uint8Array): Generator<WireField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new ProtobufError("the message ends too soon");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new ProtobufError("a number is too long");
  };
  const take = (length: number): number => {
    const from = at;
    at += length;
    if (at > message.length) throw new ProtobufError("the message ends too soon");
    return from;
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const type = tag & 7;
    if (type === VARINT) yield { number, value: Number(BigInt.asIntN(64, varint())) };
    else if (type === FIXED64) yield { number, value: view.getFloat64(take(8), true) };
    else if (type === FIXED32) yield { number, value: view.getFloat32(take(4), true) };
    else if (type === BYTES) {
      const length = Number(varint());
      const from = take(length);
      yield { number, bytes: message.subarray(from, from + length) };
    } else throw new ProtobufError(`no such wire type: ${type}`);
  }
}

/** A field to write: its number and a text, a flag, a message, or several. */
export type Written = readonly [number: number, value: Writable | readonly Writable[] | undefined];
type Writable = string | boolean | Uint8Array;

/** The bytes of a message; fields without a value are left out. */
export function message(...fields: readonly Written[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    const all = Array.isArray(value) ? (value as readonly Writable[]) : [value as Writable];
    for (const one of all) {
      if (one === undefined) continue;
      if (typeof one === "boolean") {
        parts.push(varint((number << 3) | VARINT), varint(one ? 1 : 0));
        continue;
      }
      const bytes = typeof one === "string" ? new TextEncoder().encode(one) : one;
      parts.push(varint((number << 3) | BYTES), varint(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
