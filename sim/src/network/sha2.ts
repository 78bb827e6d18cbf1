/**
 * SHA-256 and SHA-512, which network plugins and kube-proxy make chain names
 * with. Both take their constants from the same place: the fractional parts
 * of square and cube roots of the first primes.
 * Models: FIPS 180-4
 */
const UTF8 = new TextEncoder();
const PRIMES = primes(80);
/** 64 bits of the fraction of each prime's cube root. */
const K64 = PRIMES.map((prime) => rootFraction(prime, 3n));
/** The same of the square roots of the first eight. */
const H64 = PRIMES.slice(0, 8).map((prime) => rootFraction(prime, 2n));
const K32 = Int32Array.from(K64, (k) => Number(k >> 32n));
const KL = Int32Array.from(K64, (k) => Number(k & 0xffffffffn));
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

/** The first `digits` of 128 hexadecimal digits; a multiple of 16. */
export function sha512Hex(text: string, digits = 128): string {
  const high = Int32Array.from(H64, (word) => Number(word >> 32n));
  const low = Int32Array.from(H64, (word) => Number(word & 0xffffffffn));
  const data = padded(text, 128);
  for (let at = 0; at < data.byteLength; at += 128) {
    schedule512(data, at);
    rounds512(high, low);
  }
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
  const words = Array.from(high.subarray(0, digits / 16));
  return words.map((word, i) => hex(word) + hex(low[i]!)).join("");
}

/** The message schedule; 64-bit words as a high and a low half. */
const WH = new Int32Array(80);
const WL = new Int32Array(80);

function schedule512(data: DataView, at: number): void {
  for (let i = 0; i < 16; i++) {
    WH[i] = data.getInt32(at + i * 8);
    WL[i] = data.getInt32(at + i * 8 + 4);
  }
  for (let i = 16; i < 80; i++) {
    const xh = WH[i - 15]!;
    const xl = WL[i - 15]!;
    const yh = WH[i - 2]!;
    const yl = WL[i - 2]!;
    const s0h = turn64(xh, xl, 1) ^ turn64(xh, xl, 8) ^ (xh >>> 7);
    const s0l = turn64(xl, xh, 1) ^ turn64(xl, xh, 8) ^ shift(xl, xh, 7);
    const s1h = turn64(yh, yl, 19) ^ turn64(yl, yh, 29) ^ (yh >>> 6);
    const s1l = turn64(yl, yh, 19) ^ turn64(yh, yl, 29) ^ shift(yl, yh, 6);
    const low =
      (WL[i - 16]! >>> 0) + (s0l >>> 0) + (WL[i - 7]! >>> 0) + (s1l >>> 0);
    WL[i] = low;
    WH[i] = WH[i - 16]! + s0h + WH[i - 7]! + s1h + carry(low);
  }
}

function rounds512(high: Int32Array, low: Int32Array): void {
  const h = Int32Array.from(high);
  const l = Int32Array.from(low);
  for (let i = 0; i < 80; i++) {
    // Each round the words a to h move on by one place: a becomes b.
    const [a, b, c, d] = [-i & 7, (1 - i) & 7, (2 - i) & 7, (3 - i) & 7];
    const [e, f, g, last] = [
      (4 - i) & 7,
      (5 - i) & 7,
      (6 - i) & 7,
      (7 - i) & 7,
    ];
    const ah = h[a]!;
    const al = l[a]!;
    const eh = h[e]!;
    const el = l[e]!;
    const s1h = turn64(eh, el, 14) ^ turn64(eh, el, 18) ^ turn64(el, eh, 9);
    const s1l = turn64(el, eh, 14) ^ turn64(el, eh, 18) ^ turn64(eh, el, 9);
    const chl = (el & l[f]!) ^ (~el & l[g]!);
    const t1 =
      (l[last]! >>> 0) +
      (s1l >>> 0) +
      (chl >>> 0) +
      (KL[i]! >>> 0) +
      (WL[i]! >>> 0);
    const chh = (eh & h[f]!) ^ (~eh & h[g]!);
    const t1h = (h[last]! + s1h + chh + K32[i]! + WH[i]! + carry(t1)) | 0;
    const s0h = turn64(ah, al, 28) ^ turn64(al, ah, 2) ^ turn64(al, ah, 7);
    const s0l = turn64(al, ah, 28) ^ turn64(ah, al, 2) ^ turn64(ah, al, 7);
    const mjl = (al & l[b]!) ^ (al & l[c]!) ^ (l[b]! & l[c]!);
    const mjh = (ah & h[b]!) ^ (ah & h[c]!) ^ (h[b]! & h[c]!);
    const t2 = (s0l >>> 0) + (mjl >>> 0);
    const t2h = (s0h + mjh + carry(t2)) | 0;
    const nextE = (l[d]! >>> 0) + ((t1 | 0) >>> 0);
    h[d] = h[d]! + t1h + carry(nextE);
    l[d] = nextE;
    const nextA = ((t1 | 0) >>> 0) + ((t2 | 0) >>> 0);
    h[last] = t1h + t2h + carry(nextA);
    l[last] = nextA;
  }
  for (let i = 0; i < 8; i++) {
    const sum = (low[i]! >>> 0) + (l[i]! >>> 0);
    high[i] = high[i]! + h[i]! + carry(sum);
    low[i] = sum;
  }
}

/** What a sum of low halves carries over. */
function carry(sum: number): number {
  return Math.floor(sum / 4294967296);
}

/** One half of a 64-bit word turned right; `other` is its other half. */
function turn64(half: number, other: number, bits: number): number {
  return (half >>> bits) | (other << (32 - bits));
}

/** The low half of a 64-bit word shifted right. */
function shift(low: number, high: number, bits: number): number {
  return (low >>> bits) | (high << (32 - bits));
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function cut(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

/** The text in UTF-8, a 1 bit, zeros, and its length in bits at the end. */
function padded(text: string, blockBytes: number): DataView {
  const bytes = UTF8.encode(text);
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
