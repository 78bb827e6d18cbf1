/**
 * DER, the bytes that certificates are written in: elements of a tag, a
 * length and a content, which may be elements again.
 * Models:     encoding/asn1 and encoding/pem of Go 1.26
 * Leaves out: what exactly is wrong with bytes that are none.
 */
import { fromBase64, toBase64 } from "../base64.ts";

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OID = 0x06;

export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content: what is copied as it is. */
  readonly raw: Uint8Array;
}

/** The elements that lie one after the other in `bytes`. */
export function elementsOf(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { tag, start, end } = headerAt(bytes, at);
    const content = bytes.subarray(start, end);
    found.push({ tag, content, raw: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

function headerAt(bytes: Uint8Array, at: number) {
  const first = bytes[at + 1] ?? 0;
  // Long ones say first how many bytes their length has.
  const count = first < 128 ? 0 : first & 127;
  const start = at + 2 + count;
  if (start > bytes.length)
    throw new Error("asn1: syntax error: truncated tag or length");
  let length = count === 0 ? first : 0;
  for (let i = at + 2; i < start; i++) length = length * 256 + bytes[i]!;
  const end = start + length;
  if (end > bytes.length) throw new Error("asn1: syntax error: data truncated");
  return { tag: bytes[at]!, start, end };
}

/** One element with all that it holds. */
export function element(
  tag: number,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const content = parts.flatMap((part) => [...part]);
  const { length } = content;
  const size: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
    size.unshift(rest % 256);
  }
  const head = length < 128 ? [tag, length] : [tag, 128 | size.length, ...size];
  return Uint8Array.from([...head, ...content]);
}

/** `2.5.4.3` */
export function oidText(content: Uint8Array): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join(".");
}

export function oid(text: string): Uint8Array {
  const [root = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [root * 40 + second, ...rest].flatMap((number) => {
    const digits = [number % 128];
    for (let left = number >> 7; left > 0; left >>= 7) {
      digits.unshift(128 | (left % 128));
    }
    return digits;
  });
  return element(OID, Uint8Array.from(bytes));
}

export const ascii = (text: string): Uint8Array =>
  new TextEncoder().encode(text);

/** The bytes of the first block; undefined if it is not of this type. */
export function fromPem(text: string, type: string): Uint8Array | undefined {
  const block = /-----BEGIN ([^-]+)-----\s([A-Za-z0-9+/=\s]*)-----END \1-----/;
  const [, found, body = ""] = block.exec(text) ?? [];
  return found === type ? fromBase64(body.replace(/\s/g, "")) : undefined;
}

export function toPem(type: string, bytes: Uint8Array): string {
  const lines = toBase64(bytes).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join("\n")}\n-----END ${type}-----\n`;
}
