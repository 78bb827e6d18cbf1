/**
 * SHA-256 and SHA-512, which network plugins and kube-proxy make chain names
 * with. Both take their constants from the same place: the fractional parts
 * of square and cube roots of the first primes.
 * Models: FIPS 180-4
 */
const PRIMES = primes(80);
/** 64 bits of the fraction of each prime's cube root. */
const K64 = PRIMES.map((prime) => rootFraction(prime, 3n));
/** The same of the square roots of the first eight. */
const H64 = PRIMES.slice(0, 8).map((prime) => rootFraction(prime, 2n));
const K32 = Int32Array.from(K64, (k) => Number(k >> 32n));
const H32 = H64.map((h) => Number(h >> 32n));

/** 32 bytes. */
export function sha256(text: string): Uint8Array {
  const state = Int32Array.from(H32);
  const data = padded(text, 64);
  for (let at = 0; at < data.byteLength; at += 64) block256(state, data, at);
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word);
  return new Uint8Array(out.buffer);
}

function block256(state: Int32Array, data: DataView, at: number): void {
  const w = new Int32Array(64);
  for (let i = 0; i < 64; i++) {
    if (i < 16) w[i] = data.getInt32(at + i * 4);
    else {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + K32[i]! + w[i]!;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = state[i]! + word;
  }
}

/** 128 hexadecimal digits. */
export function sha512Hex(text: string): string {
  const state = [...H64];
  const data = padded(text, 128);
  for (let at = 0; at < data.byteLength; at += 128) block512(state, data, at);
  return state.map((word) => word.toString(16).padStart(16, "0")).join("");
}

function block512(state: bigint[], data: DataView, at: number): void {
  const w: bigint[] = [];
  for (let i = 0; i < 80; i++) {
    if (i < 16) w.push(data.getBigUint64(at + i * 8));
    else {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      const s0 = turn64(x, 1n) ^ turn64(x, 8n) ^ (x >> 7n);
      const s1 = turn64(y, 19n) ^ turn64(y, 61n) ^ (y >> 6n);
      w.push(cut(w[i - 16]! + s0 + w[i - 7]! + s1));
    }
  }
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
  for (let i = 0; i < 80; i++) {
    const s1 = turn64(e, 14n) ^ turn64(e, 18n) ^ turn64(e, 41n);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + K64[i]! + w[i]!;
    const s0 = turn64(a, 28n) ^ turn64(a, 34n) ^ turn64(a, 39n);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, cut(d + t1), c, b, a, cut(t1 + t2)];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[i] = cut(state[i]! + word);
  }
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function turn64(word: bigint, bits: bigint): bigint {
  return (word >> bits) | cut(word << (64n - bits));
}

function cut(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

/** The text in UTF-8, a 1 bit, zeros, and its length in bits at the end. */
function padded(text: string, blockBytes: number): DataView {
  const bytes = new TextEncoder().encode(text);
  const needed = bytes.length + 1 + blockBytes / 8;
  const size = Math.ceil(needed / blockBytes) * blockBytes;
  const all = new Uint8Array(size);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(size - 4, bytes.length * 8);
  return view;
}

function primes(count: number): bigint[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found.map(BigInt);
}

/** First 64 bits after the point of the degree-th root of `n`. */
function rootFraction(n: bigint, degree: bigint): bigint {
  const scaled = n << (64n * degree);
  let low = 0n;
  let high = 1n << 70n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= scaled) low = middle;
    else high = middle;
  }
  return cut(low);
}
