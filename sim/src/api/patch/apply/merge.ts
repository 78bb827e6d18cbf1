/**
 * Lays an applied configuration over the live object, and takes items out.
 * Models:     structured-merge-diff/v6 typed/merge.go, remove.go
 */
import type { Json, JsonObject } from "../../types.ts";
import { has, isList, isObject } from "../value.ts";
import type { FieldSet } from "./field-set.ts";
import { emptySet, isEmpty } from "./field-set.ts";
import type { Place } from "./shape.ts";
import { elementOf, fieldPlace, itemPlace, shapeOf } from "./shape.ts";

/** What the configuration sets wins; all else stays as it is. */
export function mergeConfig(
  place: Place,
  live: Json | undefined,
  config: Json | undefined,
): Json {
  if (config === undefined) return live;
  const shape = shapeOf(place, config);
  if (shape === "map" && isObject(live) && isObject(config)) {
    const merged: Record<string, Json> = { ...live };
    for (const [name, value] of Object.entries(config)) {
      merged[name] = mergeConfig(fieldPlace(place, name), live[name], value);
    }
    return merged;
  }
  if (shape === "list" && isList(live) && isList(config)) {
    return mergeItems(place, live, config);
  }
  return config;
}

/** Keeps the configuration's order, live items in between where they stood. */
function mergeItems(
  place: Place,
  live: readonly Json[],
  config: readonly Json[],
): Json[] {
  const identify = (item: Json) => elementOf(place, item);
  const left = live.map(identify);
  const right = config.map(identify);
  const merge = (element: string, i: number) =>
    mergeConfig(itemPlace(place), live[left.indexOf(element)], config[i]);
  const shared = right.filter((element) => left.includes(element));
  const merged: Json[] = [];
  const done = new Set<string>();
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const [a, b] = [left[i], right[j]];
    const both = a !== undefined && b !== undefined;
    if (a !== undefined && !right.includes(a)) {
      merged.push(live[i++]);
    } else if (
      a !== undefined &&
      (done.has(a) || (both && a !== b && a !== shared[0]))
    )
      i++;
    else if (b !== undefined) {
      done.add(b);
      merged.push(merge(b, j++));
      if (shared[0] === b) shared.shift();
      if (a === b) i++;
    } else i++;
  }
  return merged;
}

/** `value` without the fields of `set`. Undefined if nothing is left. */
export function removeItems(
  place: Place,
  value: Json,
  set: FieldSet,
): Json | undefined {
  if (isEmpty(set)) return value;
  const shape = shapeOf(place, value);
  if (shape === "map" && isObject(value))
    return removeFields(place, value, set);
  if (shape !== "list" || !isList(value)) return value;
  const kept: Json[] = [];
  for (const item of value) {
    const inner = set.children.get(elementOf(place, item)) ?? emptySet;
    if (inner.owned) continue;
    kept.push(removeItems(itemPlace(place), item, inner) ?? {});
  }
  return kept.length > 0 || value.length === 0 ? kept : undefined;
}

function removeFields(
  place: Place,
  value: JsonObject,
  set: FieldSet,
): Json | undefined {
  const kept: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    if (!has(value, name)) continue;
    const inner = set.children.get(`f:${name}`) ?? emptySet;
    if (inner.owned) continue;
    // What held nothing else stays as null: its owners keep its name.
    kept[name] =
      removeItems(fieldPlace(place, name), value[name], inner) ?? null;
  }
  const isBare =
    Object.keys(kept).length === 0 && Object.keys(value).length > 0;
  return isBare ? undefined : kept;
}

/** The set with the named fields that lead to its members. */
export function withNamedParents(place: Place, set: FieldSet): FieldSet {
  const children = new Map<string, FieldSet>();
  for (const [element, child] of set.children) {
    const isField = element.startsWith("f:");
    const inner = isField
      ? fieldPlace(place, element.slice(2))
      : itemPlace(place);
    const deeper = withNamedParents(inner, child);
    const named =
      isField && place.type.shape !== "map" && deeper.children.size > 0;
    children.set(element, { ...deeper, owned: deeper.owned || named });
  }
  return { owned: set.owned, children };
}
