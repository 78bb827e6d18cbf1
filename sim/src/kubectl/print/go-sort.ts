/**
 * Go's sort.Sort, step by step: which of several equal items comes first, and
 * what comes of an order that contradicts itself, shows in what kubectl prints.
 * Models:     sort/{sort,zsortinterface}.go of Go 1.26 (pdqsort)
 */
import { breakPatterns, choosePivot } from "./go-sort-pivot.ts";

/** What is sorted, by place. */
export interface Sortable {
  less(i: number, j: number): boolean;
  swap(i: number, j: number): void;
}

/** A copy of the items in the order that Go would leave them in. */
export function goSort<T>(
  items: readonly T[],
  less: (a: T, b: T) => boolean,
): T[] {
  const data = [...items];
  const sortable: Sortable = {
    less: (i, j) => less(data[i]!, data[j]!),
    swap(i, j) {
      [data[i], data[j]] = [data[j]!, data[i]!];
    },
  };
  const limit = data.length.toString(2).length;
  if (data.length > 1) sortRange(sortable, 0, data.length, limit);
  return data;
}

/** Up to so many items the simplest way is the fastest. */
const FEW = 12;

function sortRange(data: Sortable, from: number, to: number, most: number) {
  let [a, b, limit] = [from, to, most];
  let balanced = true;
  let partitioned = true;
  for (;;) {
    const length = b - a;
    if (length <= FEW) return insert(data, a, b);
    if (limit === 0) return heapSort(data, a, b);
    if (!balanced) {
      breakPatterns(data, a, b);
      limit--;
    }
    const { pivot, increasing } = choosePivot(data, a, b);
    if (balanced && partitioned && increasing && isSortedSoon(data, a, b))
      return;
    if (a > 0 && !data.less(a - 1, pivot)) {
      a = partitionEqual(data, a, b, pivot);
      continue;
    }
    const split = partition(data, a, b, pivot);
    partitioned = split.already;
    const [left, right] = [split.middle - a, b - split.middle];
    balanced = Math.min(left, right) >= Math.floor(length / 8);
    if (left < right) {
      sortRange(data, a, split.middle, limit);
      a = split.middle + 1;
    } else {
      sortRange(data, split.middle + 1, b, limit);
      b = split.middle;
    }
  }
}

function insert(data: Sortable, a: number, b: number): void {
  for (let i = a + 1; i < b; i++)
    for (let j = i; j > a && data.less(j, j - 1); j--) data.swap(j, j - 1);
}

function heapSort(data: Sortable, a: number, b: number): void {
  const count = b - a;
  for (let i = Math.floor((count - 1) / 2); i >= 0; i--)
    siftDown(data, i, count, a);
  for (let i = count - 1; i >= 0; i--) {
    data.swap(a, a + i);
    siftDown(data, 0, i, a);
  }
}

function siftDown(data: Sortable, low: number, high: number, first: number) {
  let root = low;
  for (;;) {
    let child = 2 * root + 1;
    if (child >= high) return;
    if (child + 1 < high && data.less(first + child, first + child + 1))
      child++;
    if (!data.less(first + root, first + child)) return;
    data.swap(first + root, first + child);
    root = child;
  }
}

/** Items below the pivot to its left, the others to its right. */
function partition(data: Sortable, a: number, b: number, pivot: number) {
  data.swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  for (let already = true; ; already = false) {
    while (i <= j && data.less(i, a)) i++;
    while (i <= j && !data.less(j, a)) j--;
    if (i > j) {
      data.swap(j, a);
      return { middle: j, already };
    }
    data.swap(i++, j--);
  }
}

/** Items equal to the pivot first; none here is below it. */
function partitionEqual(
  data: Sortable,
  a: number,
  b: number,
  pivot: number,
): number {
  data.swap(a, pivot);
  let [i, j] = [a + 1, b - 1];
  for (;;) {
    while (i <= j && !data.less(a, i)) i++;
    while (i <= j && data.less(a, j)) j--;
    if (i > j) return i;
    data.swap(i++, j--);
  }
}

/** Mends a few pairs that are out of order; false: it takes more. */
function isSortedSoon(data: Sortable, a: number, b: number): boolean {
  let i = a + 1;
  for (let step = 0; step < 5; step++) {
    while (i < b && !data.less(i, i - 1)) i++;
    if (i === b) return true;
    if (b - a < 50) return false;
    data.swap(i, i - 1);
    if (i - a >= 2)
      for (let j = i - 1; j >= 1 && data.less(j, j - 1); j--)
        data.swap(j, j - 1);
    if (b - i >= 2)
      for (let j = i + 1; j < b && data.less(j, j - 1); j++)
        data.swap(j, j - 1);
  }
  return false;
}
