/**
 * Around which item Go's sort divides, and how it stirs what divides badly.
 * Models:     sort/zsortinterface.go of Go 1.26 (choosePivot, breakPatterns)
 */
import type { Sortable } from "./go-sort.ts";

/** From so many items on, each of the three is itself a middle of three. */
const MANY = 50;
/** As many exchanges as there can be: the items run downwards. */
const MOST_SWAPS = 12;

/** Turns the range round if it runs downwards. */
export function choosePivot(data: Sortable, a: number, b: number) {
  const length = b - a;
  const counter = { swaps: 0 };
  const quarter = Math.floor(length / 4);
  let [i, j, k] = [a + quarter, a + quarter * 2, a + quarter * 3];
  const middle = (x: number, y: number, z: number) =>
    median(data, x, y, z, counter);
  if (length >= MANY) {
    i = middle(i - 1, i, i + 1);
    j = middle(j - 1, j, j + 1);
    k = middle(k - 1, k, k + 1);
  }
  j = middle(i, j, k);
  if (counter.swaps !== MOST_SWAPS)
    return { pivot: j, increasing: counter.swaps === 0 };
  for (let x = a, y = b - 1; x < y; x++, y--) data.swap(x, y);
  return { pivot: b - 1 - (j - a), increasing: true };
}

function median(
  data: Sortable,
  a: number,
  b: number,
  c: number,
  counter: { swaps: number },
): number {
  const inOrder = (x: number, y: number): readonly [number, number] => {
    if (!data.less(y, x)) return [x, y];
    counter.swaps++;
    return [y, x];
  };
  const [low, high] = inOrder(a, b);
  const [middle] = inOrder(high, c);
  return inOrder(low, middle)[1];
}

/** Exchanges three items with others, by numbers that only the length says. */
export function breakPatterns(data: Sortable, a: number, b: number): void {
  const length = b - a;
  const mask = (1n << BigInt(length.toString(2).length)) - 1n;
  let random = BigInt(length);
  const first = a + Math.floor(length / 4) * 2 - 1;
  for (let i = first; i <= first + 2; i++) {
    random = BigInt.asUintN(64, random ^ (random << 13n));
    random ^= random >> 7n;
    random = BigInt.asUintN(64, random ^ (random << 17n));
    const other = Number(random & mask);
    data.swap(i, a + (other >= length ? other - length : other));
  }
}
