/**
 * Server-side apply, and the record that every write leaves of who set what.
 * Models:     apimachinery/pkg/util/managedfields, structured-merge-diff/v6
 *             merge/update.go @ v1.36
 * Leaves out: conversion of sets between versions of a kind.
 * Try:        let `force` always be true and see two controllers fight.
 */
import type { JsonObject } from "../../types.ts";
import { jsonEqual } from "../value.ts";
import { conflictError } from "./conflict.ts";
import { isEmpty, recursiveDifference, union } from "./field-set.ts";
import { isKubectl, notLastApplied, syncLastApplied } from "./last-applied.ts";
import type { ManagerId, Managers } from "./managers.ts";
import {
  capped,
  decodeManagers,
  entriesOf,
  idOf,
  withoutServerFields,
} from "./managers.ts";
import { mergeConfig } from "./merge.ts";
import type { Kind, WriteBy } from "./ownership.ts";
import {
  asObject,
  conflictsOf,
  ignoredBy,
  managersBefore,
  release,
  withManagers,
  without,
  withoutManagedFields,
} from "./ownership.ts";
import { prune } from "./prune.ts";
import type { Place } from "./shape.ts";
import { rootPlace, zeroObject } from "./shape.ts";
import { compare, fieldSetOf } from "./walk.ts";

export type { Kind, WriteBy } from "./ownership.ts";

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
