/** Key ranges, and the buckets that the store sorts keys into. */
import type { KeyRange } from "./types.ts";

/** First key after all that begin with `prefix`; "" if there is none. */
export function prefixEnd(prefix: string): string {
  if (prefix === "") return "";
  const last = prefix.charCodeAt(prefix.length - 1);
  return prefix.slice(0, -1) + String.fromCharCode(last + 1);
}

/** `[from, end)`; `end` "" means every key from `from` on. */
export interface Bounds {
  readonly from: string;
  readonly end: string;
  /** The range is the one key `from`. */
  readonly single: boolean;
}

export function boundsOf(range: KeyRange): Bounds {
  const { key, rangeEnd, prefix } = range;
  if (prefix) return { from: key, end: prefixEnd(key), single: false };
  if (rangeEnd === undefined || rangeEnd === "") {
    return { from: key, end: `${key}\0`, single: true };
  }
  // An end of "\0" means: all keys from `key` on.
  return { from: key, end: rangeEnd === "\0" ? "" : rangeEnd, single: false };
}

export function within(bounds: Bounds, key: string): boolean {
  if (bounds.single) return key === bounds.from;
  return key >= bounds.from && (bounds.end === "" || key < bounds.end);
}

/** `/registry/pods/` of `/registry/pods/default/web`; "" if it has none. */
export function bucketOf(key: string): string {
  if (key.charCodeAt(0) !== 47) return "";
  const second = key.indexOf("/", 1);
  const third = second < 0 ? -1 : key.indexOf("/", second + 1);
  return third < 0 ? "" : key.slice(0, third + 1);
}

/** The bucket that holds the whole range, or undefined if it spans several. */
export function bucketOfRange(bounds: Bounds): string | undefined {
  const bucket = bucketOf(bounds.from);
  if (bounds.single) return bucket;
  if (bucket === "" || bounds.end === "") return undefined;
  return bounds.end <= prefixEnd(bucket) ? bucket : undefined;
}
