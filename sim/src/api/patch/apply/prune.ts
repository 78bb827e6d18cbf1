/**
 * Takes out of an applied object what its applier no longer asks for.
 * Models:     structured-merge-diff/v6 merge/update.go, prune
 */
import type { Json } from "../../types.ts";
import type { FieldSet } from "./field-set.ts";
import { difference, intersection, union } from "./field-set.ts";
import type { Managers } from "./managers.ts";
import { removeItems, withNamedParents } from "./merge.ts";
import type { Place } from "./shape.ts";
import { fieldSetOf } from "./walk.ts";

/** Removes what this applier set last time and nobody wants any more. */
export function prune(
  place: Place,
  merged: Json,
  managers: Managers,
  last: FieldSet,
): Json {
  const named = (set: FieldSet) => withNamedParents(place, set);
  const all = named(fieldSetOf(place, merged));
  const first = removeItems(place, merged, named(last)) ?? {};
  const managed = named(union(...[...managers.values()].map(({ set }) => set)));
  const wanted = union(named(fieldSetOf(place, first)), managed);
  const second = removeItems(place, merged, difference(all, wanted)) ?? {};
  const dangling = difference(all, named(fieldSetOf(place, second)));
  return removeItems(place, merged, intersection(dangling, named(last))) ?? {};
}
