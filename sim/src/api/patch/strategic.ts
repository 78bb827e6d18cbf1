/**
 * Strategic merge patch: JSON merge that knows the lists of the API.
 * Models:     apimachinery/pkg/util/strategicpatch/patch.go, mergeMap @ v1.36
 * Try:        forget `merges` and see which containers kubectl apply loses.
 */
import { goTypeOf } from "../go-text.ts";
import type { Schemas } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { isKept, withoutDirectives, withoutNulls } from "./clean.ts";
import {
  badOrderList,
  badPatchType,
  deletionPrefix,
  directive,
  fieldAfter,
  hasDirective,
  isDirective,
  listOf,
  orderPrefix,
  PatchError,
} from "./directives.ts";
import type { MergeItem } from "./list-merge.ts";
import { checkOrder, leftBehind, mergeList } from "./list-merge.ts";
import { inOrder, inPlaces, itemType, partition } from "./lists.ts";
import { mergedInPlaces } from "./plain-lists.ts";
import { applyRetainKeys, type Onto } from "./retain-keys.ts";
import type { PatchType } from "./schema.ts";
import { fieldOf, itemsOf, patchType } from "./schema.ts";
import {
  copyToMerge,
  has,
  isList,
  isObject,
  jsonEqual,
  setKey,
  withKey,
  withoutKey,
} from "./value.ts";

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
  if (!hasDirective(patch))
    return mergeKeys(original, patch, none, place, onto);
  if (has(patch, directive)) return byDirective(patch);
  const [kept, rest] = applyRetainKeys(original, patch, onto);
  const [ordered, done] = applyOrder(kept, rest, place, onto);
  return mergeKeys(ordered, rest, done, place, onto);
}

const none: readonly string[] = Object.freeze([]);
const nothing: JsonObject = Object.freeze({});

/** `$patch: replace` takes the patch as it is, `delete` leaves nothing. */
function byDirective(patch: JsonObject): JsonObject {
  const type = patch[directive];
  if (type === "replace") return withoutKey(patch, directive);
  if (type === "delete") return {};
  throw badPatchType(type, patch);
}

/** Merges all keys but those that are `done`; itself if nothing changes. */
function mergeKeys(
  original: JsonObject,
  patch: JsonObject,
  done: readonly string[],
  place: PatchType,
  onto: Onto,
): JsonObject {
  let copy: Record<string, Json> | undefined;
  for (const key in patch) {
    const value = patch[key];
    if (value === undefined || done.includes(key)) continue;
    const plain = typeof value !== "object" && !isDirective(key);
    if (plain && value === original[key]) continue;
    copy ??= copyToMerge(original, patch);
    // Most values are plain: they stand instead of whatever was there.
    if (plain) setKey(copy, key, value);
    else mergeKey(copy, key, value, place, onto);
  }
  return copy ?? original;
}

/** Merges one key into the object, which is ours to write. */
function mergeKey(
  into: Record<string, Json>,
  patchKey: string,
  value: Json,
  place: PatchType,
  onto: Onto,
): void {
  const isDeletionList = patchKey.startsWith(deletionPrefix);
  if (isDeletionList && onto === "patch") return setKey(into, patchKey, value);
  const key = isDeletionList ? fieldAfter(deletionPrefix, patchKey) : patchKey;
  if (value === null) {
    if (has(into, key)) delete into[key];
    if (onto === "patch") setKey(into, key, null);
    return;
  }
  const before = into[key];
  if (!has(into, key) || goTypeOf(before) !== goTypeOf(value)) {
    if (!isDeletionList) take(into, key, value, onto);
  } else if (isObject(before) && isObject(value)) {
    const { place: inner, replaces } = fieldOf(place, key);
    const next = replaces ? value : mergeObject(before, value, inner, onto);
    setKey(into, key, next);
  } else if (isList(before) && isList(value)) {
    const field = fieldOf(place, key);
    const mergeItem = itemMerger(field.place, onto);
    const merged = mergeList(before, value, field, mergeItem, isDeletionList);
    setKey(into, key, merged);
  } else setKey(into, key, value);
}

/** What only the patch has: without its nulls and what has a directive. */
function take(
  into: Record<string, Json>,
  key: string,
  value: Json,
  onto: Onto,
): void {
  const clean = withoutDirectives(
    onto === "object" ? withoutNulls(value) : value,
  );
  if (clean === undefined) delete into[key];
  else setKey(into, key, clean);
}

/**
 * Handles `$setElementOrder/…` together with the list it speaks of; tells
 * which keys of the patch are done so.
 */
function applyOrder(
  original: JsonObject,
  patch: JsonObject,
  place: PatchType,
  onto: Onto,
): [JsonObject, readonly string[]] {
  let result = original;
  const done: string[] = [];
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
    done.push(key);
    const name = fieldAfter(orderPrefix, key);
    const rest = done.includes(name) ? nothing : patch;
    const merged = orderedList(result, rest, name, listOf(value), place, onto);
    if (!merged) continue;
    result = withKey(result, name, merged);
    done.push(name);
  }
  return [result, done];
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
  const { mergeKey } = field;
  const mergeItem = itemMerger(field.place, onto);
  if (before && added) {
    const plain = mergedInPlaces(before, added, order, mergeKey, mergeItem);
    if (plain) return plain;
  }
  checkOrder(added ?? [], order, mergeKey);
  let merged = before ?? added?.map(withoutDirectives).filter(isKept);
  if (!merged) return undefined;
  if (before && added) merged = mergeList(before, added, field, mergeItem);
  const settled = inPlaces(merged, order, mergeKey);
  const [named, others] = settled
    ? [settled, []]
    : partition(merged, order, mergeKey);
  itemType(before ?? [], added ?? []);
  if (settled) return settled;
  const serverOrder =
    before && added ? leftBehind(before, added, field) : (before ?? []);
  return inOrder(named, others, order, serverOrder, mergeKey);
}

function itemMerger(list: PatchType, onto: Onto): MergeItem {
  const place = itemsOf(list);
  return (item, patch) => mergeObject(item, patch, place, onto);
}
