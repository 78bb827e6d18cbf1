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
const H32 = Int32Array.from(H64, (h) => Number(h >> 32n));
const HL = Int32Array.from(H64, (h) => Number(h & 0xffffffffn));

/** 32 bytes. */
export function sha256(text: string): Uint8Array {
  const state = H32.slice();
  const length = pad(text, 64);
  for (let at = 0; at < length; at += 64) block256(state, at);
  const out = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word);
  return new Uint8Array(out.buffer);
}

/** 64 hexadecimal digits. */
export function sha256Hex(text: string): string {
  const digits = (byte: number) => byte.toString(16).padStart(2, "0");
  return Array.from(sha256(text), digits).join("");
}

function block256(state: Int32Array, at: number): void {
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

/** 64-bit words as a high and a low half: the state … */
const high = new Int32Array(8);
const low = new Int32Array(8);
/** … the state within a block, and the message schedule. */
const h = new Int32Array(8);
const l = new Int32Array(8);
const WH = new Int32Array(80);
const WL = new Int32Array(80);

/** The first `digits` of 128 hexadecimal digits; a multiple of 16. */
export function sha512Hex(text: string, digits = 128): string {
  high.set(H32);
  low.set(HL);
  const length = pad(text, 128);
  for (let at = 0; at < length; at += 128) {
    schedule512(at);
    rounds512();
  }
  let hex = "";
  for (let i = 0; i < digits / 16; i++) hex += hexOf(high[i]!) + hexOf(low[i]!);
  return hex;
}

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

function schedule512(at: number): void {
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

function rounds512(): void {
  h.set(high);
  l.set(low);
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

/** What is hashed; longer texts make room for themselves. */
let bytes = new Uint8Array(512);
let data = new DataView(bytes.buffer);

/**
 * Writes the text in UTF-8, a 1 bit, zeros, and its length in bits at the end
 * to `data`. Returns how many bytes that is.
 */
function pad(text: string, blockBytes: number): number {
  const room = text.length * 3 + 2 * blockBytes;
  if (bytes.length < room) {
    bytes = new Uint8Array(room);
    data = new DataView(bytes.buffer);
  }
  const { written } = UTF8.encodeInto(text, bytes);
  const needed = written + 1 + blockBytes / 8;
  const size = Math.ceil(needed / blockBytes) * blockBytes;
  bytes.fill(0, written, size);
  bytes[written] = 0x80;
  data.setUint32(size - 4, written * 8);
  return size;
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
