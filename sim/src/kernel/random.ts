/**
 * Seeded randomness: the only source of chance in a run. Each component takes
 * its own stream with `fork(name)`, so that an edit that draws more numbers in
 * one component does not shift the draws of the others.
 * Generator: sfc32 (public domain), seeded through a string hash.
 */
/** Letters of generated names: no vowels, no look-alikes. Source: apimachinery/pkg/util/rand. */
const NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** A stream of seeded chance. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;
  private readonly seed: string;

  constructor(seed: string | number) {
    this.seed = String(seed);
    const hash = hasher(this.seed);
    this.a = hash();
    this.b = hash();
    this.c = hash();
    for (let i = 0; i < 12; i++) this.next();
  }

  /** An independent stream, fixed by this stream's seed and `name` alone. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** 32 random bits as a number in 0 … 2^32 - 1. */
  private next(): number {
    const sum = (this.a + this.b + this.counter++) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  float(): number {
    return this.next() / 4294967296;
  }

  /** A whole number in 0 … bound - 1. */
  int(bound: number): number {
    return Math.floor(this.float() * bound);
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.float();
  }

  /** One of `items`; throws if there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("pick from an empty list");
    return items[this.int(items.length)] as T;
  }

  /** A name suffix as the API server makes it, 5 letters unless told. */
  suffix(length = 5): string {
    let text = "";
    for (let i = 0; i < length; i++) text += NAME_LETTERS[this.int(27)];
    return text;
  }

  /** A version 4 UUID. */
  uuid(): string {
    const codes: number[] = [];
    digits(codes, this.next(), 0, 8);
    codes.push(DASH);
    const x = this.next();
    digits(codes, x, 0, 4);
    codes.push(DASH, "4".charCodeAt(0));
    digits(codes, x, 5, 8);
    const y = this.next();
    codes.push(DASH, "89ab".charCodeAt((y >>> 30) & 3));
    digits(codes, y, 1, 4);
    codes.push(DASH);
    digits(codes, y, 4, 8);
    digits(codes, this.next(), 0, 8);
    return String.fromCharCode(...codes);
  }

  /** Hexadecimal digits; a multiple of eight. */
  hex(count: number): string {
    const codes: number[] = [];
    while (codes.length < count) digits(codes, this.next(), 0, 8);
    return String.fromCharCode(...codes);
  }
}

const DASH = "-".charCodeAt(0);
const DIGITS = Array.from("0123456789abcdef", (one) => one.charCodeAt(0));

/**
 * Adds the codes of some of the eight digits of `word`. A text made of codes
 * is one piece; one put together with `+` stays a chain of its pieces, and
 * ids are kept by the hundred thousand.
 */
function digits(codes: number[], word: number, from: number, end: number) {
  for (let i = from; i < end; i++) {
    codes.push(DIGITS[(word >>> (28 - 4 * i)) & 15]!);
  }
}

/** xmur3: turns a text into a series of 32-bit seeds. */
function hasher(text: string): () => number {
  let h = 1779033703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    return (h ^= h >>> 16) >>> 0;
  };
}
