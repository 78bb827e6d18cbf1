/**
 * Strategic merge patch: JSON merge that knows the lists of the API.
 * Models:     apimachinery/pkg/util/strategicpatch/patch.go, mergeMap @ v1.36
 * Try:        forget `merges` and see which containers kubectl apply loses.
 */
import { goTypeOf, goValue } from "../go-text.ts";
import type { Schemas } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { isKept, withoutDirectives, withoutNulls } from "./clean.ts";
import {
  badOrderList,
  badPatchType,
  badRetainKeys,
  deletionPrefix,
  directive,
  fieldAfter,
  listOf,
  orderPrefix,
  PatchError,
  retainKeys,
} from "./directives.ts";
import type { MergeItem } from "./list-merge.ts";
import { checkOrder, leftBehind, mergeList } from "./list-merge.ts";
import { inOrder, inPlaces, itemType, partition } from "./lists.ts";
import type { PatchType } from "./schema.ts";
import { fieldOf, itemsOf, patchType } from "./schema.ts";
import {
  has,
  isList,
  isObject,
  jsonEqual,
  withKey,
  withoutKey,
} from "./value.ts";

/**
 * What a patch lands on. A server patches an object. A client that makes a
 * patch adds changes to deletions, and directives stay in.
 */
type Onto = "object" | "patch";

/** `current` with `patch` applied; `kind` names the struct. Throws PatchError. */
export function strategicMerge(
  current: JsonObject,
  patch: JsonObject,
  kind: string,
  schemas: Schemas,
): JsonObject {
  return mergeObject(current, patch, patchType(schemas, kind), "object");
}

export function mergeObject(
  original: JsonObject,
  patch: JsonObject,
  place: PatchType,
  onto: Onto,
): JsonObject {
  if (has(patch, directive)) return byDirective(patch);
  let [result, rest] = applyRetainKeys(original, patch, onto);
  [result, rest] = applyOrder(result, rest, place, onto);
  for (const key of Object.keys(rest)) {
    const value = rest[key];
    if (value !== undefined) result = mergeKey(result, key, value, place, onto);
  }
  return result;
}

/** `$patch: replace` takes the patch as it is, `delete` leaves nothing. */
function byDirective(patch: JsonObject): JsonObject {
  const type = patch[directive];
  if (type === "replace") return withoutKey(patch, directive);
  if (type === "delete") return {};
  throw badPatchType(type, patch);
}

function mergeKey(
  original: JsonObject,
  patchKey: string,
  value: Json,
  place: PatchType,
  onto: Onto,
): JsonObject {
  const isDeletionList = patchKey.startsWith(deletionPrefix);
  if (isDeletionList && onto === "patch")
    return withKey(original, patchKey, value);
  const key = isDeletionList ? fieldAfter(deletionPrefix, patchKey) : patchKey;
  if (value === null) {
    const without = withoutKey(original, key);
    return onto === "object" ? without : withKey(without, key, null);
  }
  const before = original[key];
  if (!has(original, key) || goTypeOf(before) !== goTypeOf(value)) {
    return isDeletionList ? original : taken(original, key, value, onto);
  }
  if (isObject(before) && isObject(value)) {
    const { place: inner, replaces } = fieldOf(place, key);
    if (replaces) return withKey(original, key, value);
    return withKey(original, key, mergeObject(before, value, inner, onto));
  }
  if (isList(before) && isList(value)) {
    const field = fieldOf(place, key);
    const mergeItem = itemMerger(field.place, onto);
    const merged = mergeList(before, value, field, mergeItem, isDeletionList);
    return withKey(original, key, merged);
  }
  return withKey(original, key, value);
}

/** What only the patch has: without its nulls and what has a directive. */
function taken(
  original: JsonObject,
  key: string,
  value: Json,
  onto: Onto,
): JsonObject {
  const clean = withoutDirectives(
    onto === "object" ? withoutNulls(value) : value,
  );
  return clean === undefined
    ? withoutKey(original, key)
    : withKey(original, key, clean);
}

/** Of fields where one excludes the others, keeps those that are named. */
function applyRetainKeys(
  original: JsonObject,
  patch: JsonObject,
  onto: Onto,
): [JsonObject, JsonObject] {
  if (!has(patch, retainKeys)) return [original, patch];
  const keys = patch[retainKeys];
  const rest = withoutKey(patch, retainKeys);
  if (onto === "patch") {
    const earlier = original[retainKeys];
    if (earlier !== undefined && !jsonEqual(earlier, keys)) {
      throw new PatchError(
        `${goValue(earlier)} and ${goValue(keys)} are not deep equal: ` +
          "this may happen when calculating the 3-way diff patch",
      );
    }
    return [withKey(original, retainKeys, keys), rest];
  }
  if (!isList(keys)) throw new PatchError(badRetainKeys);
  for (const [key, value] of Object.entries(rest)) {
    const isDirective =
      key.startsWith(deletionPrefix) || key.startsWith(orderPrefix);
    if (value === null || isDirective || keys.includes(key)) continue;
    throw new PatchError(badRetainKeys);
  }
  const kept = Object.entries(original).filter(([key]) => keys.includes(key));
  return [Object.fromEntries(kept), rest];
}

/** Handles `$setElementOrder/…` together with the list it speaks of. */
function applyOrder(
  original: JsonObject,
  patch: JsonObject,
  place: PatchType,
  onto: Onto,
): [JsonObject, JsonObject] {
  let result = original;
  let rest = patch;
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const value = patch[key];
    if (onto === "patch") {
      const earlier = result[key];
      if (earlier !== undefined && !jsonEqual(earlier, value)) {
        throw new PatchError(badOrderList);
      }
      result = withKey(result, key, value);
    }
    rest = withoutKey(rest, key);
    const name = fieldAfter(orderPrefix, key);
    const merged = orderedList(result, rest, name, listOf(value), place, onto);
    if (!merged) continue;
    result = withKey(result, name, merged);
    rest = withoutKey(rest, name);
  }
  return [result, rest];
}

function orderedList(
  original: JsonObject,
  patch: JsonObject,
  name: string,
  order: readonly Json[],
  place: PatchType,
  onto: Onto,
): Json[] | undefined {
  const before = has(original, name) ? listOf(original[name]) : undefined;
  const added = has(patch, name) ? listOf(patch[name]) : undefined;
  const field = fieldOf(place, name);
  checkOrder(added ?? [], order, field.mergeKey);
  let merged = before ?? added?.map(withoutDirectives).filter(isKept);
  if (!merged) return undefined;
  if (before && added) {
    merged = mergeList(before, added, field, itemMerger(field.place, onto));
  }
  const settled = inPlaces(merged, order, field.mergeKey);
  const [named, others] = settled
    ? [settled, []]
    : partition(merged, order, field.mergeKey);
  itemType(before ?? [], added ?? []);
  if (settled) return settled;
  const serverOrder =
    before && added ? leftBehind(before, added, field) : (before ?? []);
  return inOrder(named, others, order, serverOrder, field.mergeKey);
}

function itemMerger(list: PatchType, onto: Onto): MergeItem {
  const place = itemsOf(list);
  return (item, patch) => mergeObject(item, patch, place, onto);
}
