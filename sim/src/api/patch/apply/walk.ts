/**
 * Which fields an object sets, and which differ between two objects.
 * Models:     structured-merge-diff/v6 typed/tofieldset.go, compare.go
 */
import type { Json } from "../../types.ts";
import { isList, isObject, jsonEqual } from "../value.ts";
import type { FieldSet } from "./field-set.ts";
import { emptySet, isEmpty } from "./field-set.ts";
import type { Place } from "./shape.ts";
import {
  elementOf,
  fieldPlace,
  isNamedField,
  itemPlace,
  shapeOf,
} from "./shape.ts";

/** A set under construction. */
interface Draft {
  owned: boolean;
  children: Map<string, FieldSet>;
}

/** The fields that `value` sets: what an applier then owns. */
export function fieldSetOf(place: Place, value: Json): FieldSet {
  const shape = shapeOf(place, value);
  const draft: Draft = { owned: false, children: new Map() };
  if (shape === "map" && isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      if (child === undefined) continue;
      const inner = fieldSetOf(fieldPlace(place, name), child);
      const isBare =
        child === null || (isObject(child) && Object.keys(child).length === 0);
      const owned = inner.owned || isBare || !isNamedField(place, name);
      add(draft, `f:${name}`, { ...inner, owned });
    }
  } else if (shape === "list" && isList(value)) {
    for (const item of value) {
      const inner = fieldSetOf(itemPlace(place), item);
      add(draft, elementOf(place, item), { ...inner, owned: true });
    }
  } else draft.owned = true;
  return draft;
}

function add(draft: Draft, element: string, child: FieldSet): void {
  if (!isEmpty(child)) draft.children.set(element, child);
}

export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

const equal: Comparison = Object.freeze({
  added: emptySet,
  modified: emptySet,
  removed: emptySet,
});

/** How `after` differs from `before`; undefined is "not there at all". */
export function compare(
  place: Place,
  before: Json | undefined,
  after: Json | undefined,
): Comparison {
  if (before === after) return equal;
  const shape = shapeOf(place, isPlain(after) ? (before ?? after) : after);
  const other = shapeOf(place, isPlain(before) ? (after ?? before) : before);
  const nothing = hasNothing(before) && hasNothing(after);
  if (shape === "leaf" || shape !== other || nothing)
    return compareLeaf(before, after);
  const drafts = [newDraft(), newDraft(), newDraft()] as const;
  for (const [element, child, x, y] of pairs(place, before, after)) {
    const { added, modified, removed } = compare(child, x, y);
    add(drafts[0], element, added);
    add(drafts[1], element, modified);
    add(drafts[2], element, removed);
  }
  drafts[0].owned = before === undefined;
  drafts[2].owned = after === undefined;
  return { added: drafts[0], modified: drafts[1], removed: drafts[2] };
}

function newDraft(): Draft {
  return { owned: false, children: new Map() };
}

function isPlain(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function hasNothing(value: Json | undefined): boolean {
  if (isList(value)) return value.length === 0;
  return isPlain(value) || (isObject(value) && Object.keys(value).length === 0);
}

function compareLeaf(
  before: Json | undefined,
  after: Json | undefined,
): Comparison {
  const here: FieldSet = { owned: true, children: new Map() };
  if (before === undefined) return { ...equal, added: here };
  if (after === undefined) return { ...equal, removed: here };
  return jsonEqual(before, after) ? equal : { ...equal, modified: here };
}

type Pair = [string, Place, Json | undefined, Json | undefined];

/** Fields or items of both sides, matched. */
function pairs(
  place: Place,
  before: Json | undefined,
  after: Json | undefined,
): Pair[] {
  if (isList(before) || isList(after)) {
    const left = byElement(place, before);
    const right = byElement(place, after);
    const elements = new Set([...left.keys(), ...right.keys()]);
    const inner = itemPlace(place);
    return [...elements].map((key) => [
      key,
      inner,
      left.get(key),
      right.get(key),
    ]);
  }
  const left = isObject(before) ? before : {};
  const right = isObject(after) ? after : {};
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].map((name) => [
    `f:${name}`,
    fieldPlace(place, name),
    left[name],
    right[name],
  ]);
}

function byElement(place: Place, list: Json | undefined): Map<string, Json> {
  const items = isList(list) ? list : [];
  return new Map(items.map((item) => [elementOf(place, item), item]));
}
