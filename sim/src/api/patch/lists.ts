/**
 * Lists under a strategic merge patch: which items stand where.
 * Models:     strategicpatch/patch.go, normalizeElementOrder and below @ v1.36
 */
import { goTypeOf, goValue } from "../go-text.ts";
import type { Json } from "../types.ts";
import { directive, mergeKeyOf, objectOf, PatchError } from "./directives.ts";
import { isObject } from "./value.ts";

type List = readonly Json[];

/** The Go type that all items share. Throws if they do not, or are lists. */
export function itemType(...lists: List[]): string {
  let type: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const found = goTypeOf(item);
      if (found === "[]interface {}") {
        throw new PatchError("lists of lists are not supported");
      }
      if (type !== undefined && type !== found) {
        const shown = lists.map(goValue).join(" ");
        throw new PatchError(
          `list element types are not identical: [${shown}]`,
        );
      }
      type = found;
    }
  }
  if (type === undefined) {
    throw new PatchError("no elements in any of the given slices");
  }
  return type;
}

export function holdsObjects(type: string): boolean {
  return type === "map[string]interface {}";
}

/**
 * Sorts the patch's items by `patchOrder`, the server's own by `serverOrder`,
 * and puts the server's in where they stood.
 */
export function inOrder(
  patch: List,
  serverOnly: List,
  patchOrder: List,
  serverOrder: List,
  mergeKey: string,
): Json[] {
  const right = sortedBy(patch, patchOrder, mergeKey);
  const left = sortedBy(serverOnly, serverOrder, mergeKey);
  const merged: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = placeOf(serverOrder, left[i], mergeKey);
    const b = placeOf(serverOrder, right[j], mergeKey);
    if (a >= 0 && b >= 0 && a < b) merged.push(left[i++]);
    else merged.push(right[j++]);
  }
  return merged.concat(left.slice(i), right.slice(j));
}

/**
 * The items in the order of `order`, if it names each of them once; undefined
 * if it is not as simple as that, which is seldom.
 */
export function inPlaces(
  items: List,
  order: List,
  mergeKey: string,
): Json[] | undefined {
  if (mergeKey === "" || items.length > order.length) return undefined;
  const placed: Json[] = new Array(order.length);
  for (const item of items) {
    if (identity(item, mergeKey) === undefined || isDeletion(item)) return;
    const place = placeOf(order, item, mergeKey);
    if (place < 0 || placed[place] !== undefined) return undefined;
    placed[place] = item;
  }
  for (const item of order) {
    if (identity(item, mergeKey) === undefined) return undefined;
  }
  if (items.length === order.length) return placed;
  return placed.filter((item) => item !== undefined).slice();
}

/** Items in the order of `order`; those to be deleted go last. */
export function sortedBy(items: List, order: List, mergeKey: string): Json[] {
  if (mergeKey === "") return insertionSort(items, byPlace(order, mergeKey));
  for (const item of [...items, ...order]) mergeKeyOf(item, mergeKey);
  const kept = items.filter((item) => !isDeletion(item));
  const deleted = items.filter(isDeletion);
  return [...insertionSort(kept, byPlace(order, mergeKey)), ...deleted];
}

/** An item that `order` does not name counts as less than any other. */
function byPlace(order: List, mergeKey: string) {
  return (a: Json, b: Json): boolean => {
    const i = placeOf(order, a, mergeKey);
    const j = placeOf(order, b, mergeKey);
    return i < 0 || j < 0 || i < j;
  };
}

/** Go's stable sort of short lists: `less` need not be consistent. */
export function insertionSort<T>(
  items: readonly T[],
  less: (a: T, b: T) => boolean,
): T[] {
  const sorted: T[] = [];
  for (const item of items) {
    let at = sorted.length;
    for (; at > 0; at--) {
      const before = sorted[at - 1];
      if (before === undefined || !less(item, before)) break;
    }
    sorted.splice(at, 0, item);
  }
  return sorted;
}

/** Where the item with the same merge key (or value) stands; -1: nowhere. */
export function placeOf(list: List, item: Json, mergeKey: string): number {
  const wanted = identity(item, mergeKey);
  return list.findIndex((other) => identity(other, mergeKey) === wanted);
}

function identity(item: Json, mergeKey: string): Json | undefined {
  if (mergeKey === "") return item;
  return isObject(item) ? item[mergeKey] : undefined;
}

export function isDeletion(item: Json): boolean {
  return objectOf(item)[directive] === "delete";
}

/** Splits items into those that `by` names and the others. */
export function partition(
  items: List,
  by: List,
  mergeKey: string,
): [Json[], Json[]] {
  const named: Json[] = [];
  const others: Json[] = [];
  for (const item of items) {
    if (mergeKey !== "") mergeKeyOf(item, mergeKey);
    (placeOf(by, item, mergeKey) < 0 ? others : named).push(item);
  }
  return [named, others];
}

/** Each value once. A repeated one gives its place to the last. */
export function distinct(items: List): Json[] {
  const kept = [...items];
  for (let i = 0; i < kept.length; i++) {
    for (let j = i + 1; j < kept.length; ) {
      if (kept[i] !== kept[j]) j++;
      else {
        const last = kept.pop();
        if (j < kept.length) kept[j] = last;
      }
    }
  }
  return kept;
}
