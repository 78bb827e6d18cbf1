/**
 * Server-side apply, and the record that every write leaves of who set what.
 * Models:     apimachinery/pkg/util/managedfields, structured-merge-diff/v6
 *             merge/update.go @ v1.36
 * Leaves out: conversion of sets between versions of a kind.
 * Try:        let `force` always be true and see two controllers fight.
 */
import type { Schemas } from "../../schema.ts";
import type { Json, JsonObject } from "../../types.ts";
import { isObject, jsonEqual, withKey } from "../value.ts";
import { conflictError } from "./conflict.ts";
import type { FieldSet } from "./field-set.ts";
import {
  difference,
  emptySet,
  intersection,
  isEmpty,
  recursiveDifference,
  union,
} from "./field-set.ts";
import { isKubectl, notLastApplied, syncLastApplied } from "./last-applied.ts";
import type { ManagerId, Managers, Ownership } from "./managers.ts";
import {
  capped,
  decodeManagers,
  encodeManagers,
  entriesOf,
  idOf,
  namedSet,
  withoutServerFields,
} from "./managers.ts";
import { mergeConfig, removeItems, withNamedParents } from "./merge.ts";
import type { Place } from "./shape.ts";
import { rootPlace, zeroObject } from "./shape.ts";
import type { Comparison } from "./walk.ts";
import { compare, fieldSetOf } from "./walk.ts";

/** What a write is about. `time` is the server's, RFC 3339 in seconds. */
export interface WriteBy {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly time: string;
}

export interface Kind {
  readonly schemas: Schemas;
  /** Name of the struct: "Deployment". */
  readonly struct: string;
  /** Paths that this endpoint ignores: `[["status"]]`. */
  readonly resetFields?: readonly (readonly string[])[];
}

/**
 * `next` (as it will be stored) with its managedFields: after a create
 * (`live` undefined), an update or a patch that is not an apply.
 */
export function recordUpdate(
  live: JsonObject | undefined,
  next: JsonObject,
  by: WriteBy,
  kind: Kind,
): JsonObject {
  const place = rootPlace(kind.schemas, kind.struct);
  const before = live ? withoutManagedFields(live) : zeroObject(place);
  const after = withoutManagedFields(next);
  const id: ManagerId = { ...by, operation: "Update" };
  const changes = without(compare(place, before, after), ignoredBy(kind));
  const taken = union(changes.modified, changes.added);
  const others = release(managersBefore(live, next, by), changes);
  const managers = new Map(others);
  const own = withoutServerFields(taken);
  const previous = managers.get(idOf(id));
  if (!isEmpty(own)) {
    const set = previous ? union(previous.set, own) : own;
    managers.set(idOf(id), { ...id, time: by.time, set });
  }
  return withManagers(after, capped(managers));
}

/**
 * The live object with `config` applied, and its managedFields. Throws a
 * StatusError that names the fields of others, unless `force`.
 */
export function applyConfig(
  live: JsonObject | undefined,
  config: JsonObject,
  by: WriteBy,
  force: boolean,
  kind: Kind,
): JsonObject {
  const place = rootPlace(kind.schemas, kind.struct);
  const before = live ? withoutManagedFields(live) : {};
  const id: ManagerId = { ...by, operation: "Apply" };
  const known = firstApply(live, decodeManagers(entriesOf(live)), by, place);
  const last = known.get(idOf(id));
  const set = recursiveDifference(fieldSetOf(place, config), ignoredBy(kind));
  const managers = new Map(known);
  managers.set(idOf(id), { ...id, time: by.time, set });
  const merged = mergeConfig(place, before, config);
  const pruned = asObject(
    last ? prune(place, merged, managers, last.set) : merged,
  );
  const changes = without(
    compare(place, live ? before : zeroObject(place), pruned),
    ignoredBy(kind),
  );
  if (!force) {
    const conflicts = conflictsOf(managers, changes, idOf(id));
    conflictError(
      isKubectl(by) ? notLastApplied(place, before, conflicts) : conflicts,
    );
  }
  const rest = new Map(release(managers, changes, idOf(id)));
  const own = withoutServerFields(set);
  const unchanged = live !== undefined && jsonEqual(before, pruned);
  const time = unchanged && last ? last.time : by.time;
  rest.delete(idOf(id));
  if (!isEmpty(own)) rest.set(idOf(id), { ...id, time, set: own });
  const result = isKubectl(by) ? syncLastApplied(pruned, config) : pruned;
  return withManagers(result, rest);
}

/** Fields of others that the changes touch. */
function conflictsOf(
  managers: Managers,
  changes: Comparison,
  self: string,
): Ownership[] {
  const touched = union(changes.modified, changes.added);
  return [...managers]
    .filter(([id]) => id !== self)
    .map(([, other]) => ({ ...other, set: intersection(other.set, touched) }))
    .filter(({ set }) => !isEmpty(set));
}

/** Takes from all but `self` what was changed or removed. */
function release(
  managers: Managers,
  { added, modified, removed }: Comparison,
  self = "",
): Managers {
  const touched = union(added, modified, removed);
  const result = new Map<string, Ownership>();
  for (const [id, owner] of managers) {
    const set = id === self ? owner.set : difference(owner.set, touched);
    if (!isEmpty(set)) result.set(id, { ...owner, set });
  }
  return result;
}

/** Removes what this applier set last time and nobody wants any more. */
function prune(
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

/** An object that nobody applied and nobody owns was made by "before-first-apply". */
function firstApply(
  live: JsonObject | undefined,
  managers: Managers,
  { apiVersion, time }: WriteBy,
  place: Place,
): Managers {
  if (!live || managers.size > 0) return managers;
  const id: ManagerId = {
    manager: "before-first-apply",
    operation: "Update",
    apiVersion,
  };
  const { added, modified } = compare(
    place,
    zeroObject(place),
    withoutManagedFields(live),
  );
  const set = withoutServerFields(union(added, modified));
  return isEmpty(set) ? managers : new Map([[idOf(id), { ...id, time, set }]]);
}

/** An update may carry managedFields of its own; a subresource's may not. */
function managersBefore(
  live: JsonObject | undefined,
  next: JsonObject,
  by: WriteBy,
): Managers {
  const known = decodeManagers(entriesOf(live));
  const given = entriesOf(next);
  if (by.subresource || !given) return known;
  const isReset =
    given.length === 1 && Object.keys(given[0] ?? {}).length === 0;
  if (isReset) return new Map();
  return given.length === 0 ? known : decodeManagers(given);
}

function ignoredBy({ resetFields }: Kind): FieldSet {
  return resetFields ? namedSet(resetFields) : emptySet;
}

function without(
  { added, modified, removed }: Comparison,
  ignored: FieldSet,
): Comparison {
  return {
    added: recursiveDifference(added, ignored),
    modified: recursiveDifference(modified, ignored),
    removed: recursiveDifference(removed, ignored),
  };
}

function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = asObject(object.metadata);
  return withKey(object, "metadata", metadata);
}

function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const entries = encodeManagers(managers);
  const metadata = asObject(object.metadata);
  const managedFields = entries.map((entry): JsonObject => ({ ...entry }));
  if (entries.length === 0) return object;
  return withKey(object, "metadata", { ...metadata, managedFields });
}
