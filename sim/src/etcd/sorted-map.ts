/**
 * A map whose keys can be walked in order. Writing costs a hash lookup; the
 * order is made when somebody asks for it, by merging what is new into it.
 */
export class SortedMap<V> {
  private readonly map = new Map<string, V>();
  /** Keys in order as of the last merge; some may be gone. */
  private order: string[] = [];
  /** Keys set since the last merge, unordered. */
  private fresh: string[] = [];
  private removed = false;

  get size(): number {
    return this.map.size;
  }

  get(key: string): V | undefined {
    return this.map.get(key);
  }

  set(key: string, value: V): void {
    const before = this.map.size;
    this.map.set(key, value);
    if (this.map.size > before) this.fresh.push(key);
  }

  delete(key: string): boolean {
    if (!this.map.delete(key)) return false;
    this.removed = true;
    return true;
  }

  /** Values in no order worth relying on but that of insertion. */
  values(): IterableIterator<V> {
    return this.map.values();
  }

  /** All keys in order. The array is the map's own: read only. */
  keys(): readonly string[] {
    if (this.removed) {
      this.order = this.order.filter((key) => this.map.has(key));
      this.fresh = this.fresh.filter((key) => this.map.has(key));
      this.removed = false;
    }
    if (this.fresh.length > 0) {
      this.order = merge(this.order, this.fresh.sort(compareText));
      this.fresh = [];
    }
    return this.order;
  }

  /** Keys in `[from, end)`, in order; `end` "" means to the last one. */
  slice(from: string, end: string): readonly string[] {
    const keys = this.keys();
    const first = lowerBound(keys, from);
    const last = end === "" ? keys.length : lowerBound(keys, end);
    return first === 0 && last === keys.length ? keys : keys.slice(first, last);
  }
}

/** Order of keys: by code unit, as bytes for the keys we use. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Index of the first of the ordered `keys` that is not before `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two ordered lists in one, each key once. */
function merge(a: readonly string[], b: readonly string[]): string[] {
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const takeA = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const key = takeA ? a[i++]! : b[j++]!;
    if (key !== merged[merged.length - 1]) merged.push(key);
  }
  return merged;
}
