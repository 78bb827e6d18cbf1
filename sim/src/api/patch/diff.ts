/**
 * Finds the strategic merge patch that turns one object into another.
 * Models:     strategicpatch/patch.go, diffMaps and below @ v1.36
 */
import { goTypeOf } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import {
  deletionPrefix,
  directive,
  orderPrefix,
  PatchError,
  retainKeys,
} from "./directives.ts";
import type { DiffOptions } from "./list-diff.ts";
import { diffList } from "./list-diff.ts";
import type { PatchField, PatchType } from "./schema.ts";
import { fieldOf, itemsOf } from "./schema.ts";
import { has, isList, isObject, jsonEqual } from "./value.ts";

type Draft = Record<string, Json>;

export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  place: PatchType,
  options: DiffOptions,
  retains = false,
): JsonObject {
  const patch: Draft = {};
  for (const [key, value] of Object.entries(modified)) {
    if (value !== undefined)
      diffKey(patch, key, original, value, place, options);
  }
  if (options.deletions) {
    for (const key of Object.keys(original)) {
      if (!has(modified, key)) patch[key] = null;
    }
  }
  const kept = Object.keys(modified).filter(
    (key) => (modified[key] ?? null) !== null,
  );
  if (retains && kept.length > 0) {
    const lost = Object.keys(original).some(
      (key) => original[key] !== null && !has(modified, key),
    );
    if (lost || Object.keys(patch).length > 0)
      patch[retainKeys] = kept.toSorted();
  }
  return patch;
}

function diffKey(
  patch: Draft,
  key: string,
  original: JsonObject,
  value: Json,
  place: PatchType,
  options: DiffOptions,
): void {
  const before = original[key];
  const set = () => {
    if (options.changes) patch[key] = value;
  };
  if (!has(original, key)) set();
  else if (key === directive) {
    if (typeof before !== "string" || typeof value !== "string") {
      throw new PatchError(`invalid value for special key: ${directive}`);
    }
    if (before !== value) patch[directive] = value;
  } else if (goTypeOf(before) !== goTypeOf(value)) set();
  else if (isObject(before) && isObject(value)) {
    const field = fieldUnlessEqual(place, key, before, value);
    if (!field) return;
    // Not compared: what is replaced as a whole is sent every time.
    if (field.replaces) return set();
    const inner = diffObjects(
      before,
      value,
      field.place,
      options,
      field.retainKeys,
    );
    if (Object.keys(inner).length > 0) patch[key] = inner;
  } else if (isList(before) && isList(value)) {
    const field = fieldUnlessEqual(place, key, before, value);
    if (field?.merges) {
      const items = itemsOf(field.place);
      const diffItem = (a: JsonObject, b: JsonObject) =>
        diffObjects(a, b, items, options, field.retainKeys);
      const list = diffList(before, value, field.mergeKey, options, diffItem);
      if (list.changes.length > 0) patch[key] = list.changes;
      if (list.deletions.length > 0) {
        patch[`${deletionPrefix}/${key}`] = list.deletions;
      }
      if (list.order.length > 0) patch[`${orderPrefix}/${key}`] = list.order;
    } else if (!jsonEqual(before, value)) set();
  } else if (before !== value) set();
}

/** A field that no schema knows does no harm as long as it is equal. */
function fieldUnlessEqual(
  place: PatchType,
  key: string,
  before: Json,
  value: Json,
): PatchField | undefined {
  try {
    return fieldOf(place, key);
  } catch (error) {
    if (jsonEqual(before, value)) return undefined;
    throw error;
  }
}
