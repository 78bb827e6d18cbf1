/**
 * Counts by topology pair: a label's key and value, such as
 * `topology.kubernetes.io/zone` and `a`.
 * Models: topologyToMatchedTermCount in pkg/scheduler/framework/plugins/
 *         interpodaffinity/filtering.go @ v1.36
 */
import type { Labels } from "../../api/types.ts";

export class PairCounts {
  private readonly byKey = new Map<string, Map<string, number>>();
  /** Pairs with a count other than 0. */
  size = 0;

  /** Adds `by` to the pair of a Node with these labels, if it has the key. */
  add(key: string, labels: Labels, by: number): void {
    const value = labels[key];
    if (value === undefined) return;
    let counts = this.byKey.get(key);
    if (!counts) {
      counts = new Map();
      this.byKey.set(key, counts);
    }
    this.size -= counts.has(value) ? 1 : 0;
    const count = (counts.get(value) ?? 0) + by;
    if (count === 0) counts.delete(value);
    else counts.set(value, count);
    this.size += counts.has(value) ? 1 : 0;
  }

  get(key: string, value: string): number {
    return this.byKey.get(key)?.get(value) ?? 0;
  }

  /** True if a Node with these labels has any counted pair. */
  touches(labels: Labels): boolean {
    if (this.size === 0) return false;
    for (const [key, counts] of this.byKey) {
      const value = labels[key];
      if (value !== undefined && (counts.get(value) ?? 0) > 0) return true;
    }
    return false;
  }

  clone(): PairCounts {
    const copy = new PairCounts();
    for (const [key, counts] of this.byKey)
      copy.byKey.set(key, new Map(counts));
    copy.size = this.size;
    return copy;
  }
}
