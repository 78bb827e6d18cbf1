/**
 * The hash behind names such as web-5d59d67564.
 * Models:     hash/fnv (New32a), apimachinery/pkg/util/rand @ v1.36
 */

const encoder = new TextEncoder();
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** Letters that neither look alike nor spell words. */
export const safeAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** FNV-1a, 32 bits, of bytes; `seed` continues an earlier hash. */
export function fnv1a(bytes: Uint8Array, seed = offset): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}

/** FNV-1a, 32 bits, of a text's UTF-8. */
export function fnv1aText(text: string, seed = offset): number {
  return fnv1a(encoder.encode(text), seed);
}

/** FNV-1 (multiply first), 32 bits, of a text's UTF-8. */
export function fnv1Text(text: string, seed = offset): number {
  let hash = seed;
  for (const byte of encoder.encode(text)) {
    hash = Math.imul(hash, prime) ^ byte;
  }
  return hash >>> 0;
}

/** Maps each character to a safe letter; keeps the length. */
export function safeEncode(text: string): string {
  let encoded = "";
  for (const byte of encoder.encode(text)) {
    encoded += safeAlphabet[byte % safeAlphabet.length];
  }
  return encoded;
}

/** Continues `hash` with a collision count, as ComputeHash does. */
export function withCollisionCount(
  hash: number,
  count?: number | null,
): number {
  if (count === undefined || count === null) return hash;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, count, true);
  return fnv1a(bytes, hash);
}
