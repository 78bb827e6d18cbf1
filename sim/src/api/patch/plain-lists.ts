/**
 * The short way for what nearly every patch of a list with an order is: each
 * item is an object with its merge key, no item carries a directive, and the
 * order names them all. Then each item has its place at once.
 * Models:     strategicpatch/patch.go, mergePatchIntoOriginal @ v1.36
 */
import type { Json, JsonObject } from "../types.ts";
import { directive } from "./directives.ts";
import type { MergeItem } from "./list-merge.ts";
import { has, isObject } from "./value.ts";

type List = readonly Json[];

/** Both lists merged, as `order` says; undefined: it is not as simple. */
export function mergedInPlaces(
  before: List,
  patch: List,
  order: List,
  mergeKey: string,
  mergeItem: MergeItem,
): Json[] | undefined {
  if (mergeKey === "" || before.length + patch.length === 0) return undefined;
  const placed: Json[] = new Array(order.length);
  let count = before.length;
  for (const item of before) {
    const place = placeIn(order, item, mergeKey);
    if (place < 0 || placed[place] !== undefined) return undefined;
    placed[place] = item;
  }
  const places = ascending(patch, order, mergeKey);
  if (!places) return undefined;
  for (const [i, place] of places.entries()) {
    const other = placed[place];
    const item = patch[i];
    if (other === undefined) count++;
    const both = isObject(other) && isObject(item);
    placed[place] = both ? mergeItem(other, item) : item;
  }
  if (count === order.length) return placed;
  if (!order.every((item) => hasKey(item, mergeKey))) return undefined;
  return placed.filter((item) => item !== undefined);
}

/** The places of the patch's items, if they stand as the order has them. */
function ascending(patch: List, order: List, mergeKey: string) {
  const places: number[] = [];
  let last = -1;
  for (const item of patch) {
    const place = placeIn(order, item, mergeKey);
    if (place <= last) return undefined;
    places.push(place);
    last = place;
  }
  return places;
}

/** -1: the order does not name it, or the item is a special one. */
function placeIn(order: List, item: Json, mergeKey: string): number {
  if (!hasKey(item, mergeKey) || directive in item) return -1;
  const wanted = item[mergeKey];
  for (let i = 0; i < order.length; i++) {
    const other = order[i];
    if (isObject(other) && other[mergeKey] === wanted) return i;
  }
  return -1;
}

function hasKey(item: Json, mergeKey: string): item is JsonObject {
  return isObject(item) && has(item, mergeKey);
}
