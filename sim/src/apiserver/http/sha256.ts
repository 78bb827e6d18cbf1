/**
 * SHA-256 of a text, for the storage version hashes of discovery.
 * Models: FIPS 180-4
 */
const WORD = 2 ** 32;

/** Fractional part of a root of each of the first `count` primes, 32 bits. */
function roots(count: number, power: number): number[] {
  const words: number[] = [];
  for (let n = 2; words.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) words.push(((n ** power % 1) * WORD) | 0);
  }
  return words;
}

const K = roots(64, 1 / 3);
const START = roots(8, 1 / 2);

const turn = (x: number, bits: number) => (x >>> bits) | (x << (32 - bits));

/** 32 bytes. */
export function sha256(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const data = new DataView(new ArrayBuffer(length));
  for (const [i, byte] of bytes.entries()) data.setUint8(i, byte);
  data.setUint8(bytes.length, 0x80);
  data.setUint32(length - 4, bytes.length * 8);
  const state = [...START];
  for (let at = 0; at < length; at += 64) block(state, data, at);
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word);
  return new Uint8Array(out.buffer);
}

function block(state: number[], data: DataView, at: number): void {
  const w: number[] = [];
  for (let i = 0; i < 64; i++) {
    if (i < 16) w.push(data.getInt32(at + i * 4));
    else {
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w.push((w[i - 16]! + s0 + w[i - 7]! + s1) | 0);
    }
  }
  let [a, b, c, d, e, f, g, h] = state as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [
      g,
      f,
      e,
      (d + one) | 0,
      c,
      b,
      a,
      (one + two) | 0,
    ];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = (state[i]! + word) | 0;
  }
}

const DIGITS =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The first eight bytes in base64: names the stored version of a kind. */
export function storageVersionHash(
  group: string,
  version: string,
  kind: string,
): string {
  const bytes = sha256(`${group}/${version}/${kind}`);
  let text = "";
  for (let bit = 0; bit < 64; bit += 6) {
    let digit = 0;
    for (let i = bit; i < bit + 6; i++) {
      const on = i < 64 && (bytes[i >> 3]! >> (7 - (i & 7))) & 1;
      digit = (digit << 1) | (on ? 1 : 0);
    }
    text += DIGITS[digit];
  }
  return `${text}=`;
}
