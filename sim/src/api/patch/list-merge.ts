/**
 * Merges two lists under a strategic merge patch.
 * Models:     strategicpatch/patch.go, mergeSlice and below @ v1.36
 */
import { goValue } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import {
  badPatchType,
  directive,
  mergeKeyOf,
  objectOf,
  orderPrefix,
  PatchError,
} from "./directives.ts";
import {
  distinct,
  holdsObjects,
  inOrder,
  isDeletion,
  itemType,
  partition,
  placeOf,
} from "./lists.ts";
import type { PatchField } from "./schema.ts";
import { has, isObject } from "./value.ts";

type List = readonly Json[];

/** Merges a patch's item into the item with the same merge key. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** `deletes`: the patch lists plain values to take out. */
export function mergeList(
  original: List,
  patch: List,
  { merges, mergeKey }: PatchField,
  mergeItem: MergeItem,
  deletes = false,
): List {
  if (!merges && !deletes) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  if (!holdsObjects(itemType(original, patch))) {
    if (deletes) return original.filter((item) => !patch.includes(item));
    const both = distinct([...original, ...patch]);
    const [named, others] = partition(both, patch, mergeKey);
    return inOrder(named, others, patch, original, mergeKey);
  }
  if (mergeKey === "") {
    throw new PatchError("cannot merge lists without merge key for struct");
  }
  const [before, added] = bySpecialItems(original, patch, mergeKey);
  const merged = mergeItems(before, added, mergeKey, mergeItem);
  const [named, others] = partition(merged, added, mergeKey);
  return inOrder(named, others, added, before, mergeKey);
}

/** Acts on items that carry `$patch` and takes them out. */
function bySpecialItems(
  original: List,
  patch: List,
  mergeKey: string,
): [List, List] {
  let kept = original;
  let replaces = false;
  const plain: Json[] = [];
  for (const item of patch.map(objectOf)) {
    const type = item[directive];
    if (!has(item, directive)) plain.push(item);
    else if (type === "delete") {
      const value = mergeKeyOf(item, mergeKey);
      kept = kept.filter((other) => objectOf(other)[mergeKey] !== value);
    } else if (type === "replace") replaces = true;
    else if (type === "merge") {
      throw new PatchError(
        "merging lists cannot yet be specified in the patch",
      );
    } else throw badPatchType(type, item);
  }
  return replaces ? [plain, []] : [kept, plain];
}

/** Merges items of equal merge key; others are added at the end. */
function mergeItems(
  original: List,
  patch: List,
  mergeKey: string,
  mergeItem: MergeItem,
): Json[] {
  const merged = [...original];
  for (const item of patch.map(objectOf)) {
    mergeKeyOf(item, mergeKey);
    const at = placeOf(merged, item, mergeKey);
    if (at < 0) merged.push(item);
    else merged[at] = mergeItem(objectOf(merged[at]), item);
  }
  return merged;
}

/**
 * The live list as upstream sees it after merging: its Go slice was changed
 * in place, so deleted items let the others move up and new ones may stand
 * where the last ones stood. That list then decides the order.
 */
export function leftBehind(
  original: List,
  patch: List,
  field: PatchField,
): List {
  const { merges, mergeKey } = field;
  if (!merges || mergeKey === "") return original;
  const slice = [...original];
  let length = slice.length;
  const find = (item: Json) => placeOf(slice.slice(0, length), item, mergeKey);
  const items = patch.map(objectOf);
  for (const item of items.filter(isDeletion)) {
    for (let at = find(item); at >= 0; at = find(item)) {
      slice.copyWithin(at, at + 1, length);
      length--;
    }
  }
  const replaces = items.some((item) => item[directive] === "replace");
  for (const item of replaces ? [] : items) {
    if (has(item, directive) || find(item) >= 0) continue;
    slice[length++] = item;
  }
  return slice.slice(0, original.length);
}

/** The patch's items must stand in the order that the patch asks for. */
export function checkOrder(patch: List, order: List, mergeKey: string): void {
  if (order.length === 0) return;
  const kept = mergeKey ? patch.filter((item) => !isDeletion(item)) : patch;
  let at = 0;
  let wanted = 0;
  while (at < kept.length && wanted < order.length) {
    const item = kept[at];
    if (isObject(item) && has(item, directive)) at++;
    else {
      if (mergeKey) mergeKeyOf(item, mergeKey);
      if (placeOf([order[wanted]], item, mergeKey) === 0) at++;
      wanted++;
    }
  }
  if (at >= kept.length || wanted < order.length) return;
  const shown = `the order in patch list:\n${goValue(patch)}\n`;
  throw new PatchError(
    `${shown} doesn't match ${orderPrefix} list:\n${goValue(order)}`,
  );
}
