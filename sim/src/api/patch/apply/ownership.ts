/**
 * Who owns what before and after a write.
 * Models:     structured-merge-diff/v6 merge/update.go, update;
 *             apimachinery/pkg/util/managedfields/internal @ v1.36
 */
import type { Schemas } from "../../schema.ts";
import type { Json, JsonObject } from "../../types.ts";
import { isObject, withKey } from "../value.ts";
import type { FieldSet } from "./field-set.ts";
import {
  difference,
  emptySet,
  intersection,
  isEmpty,
  recursiveDifference,
  union,
} from "./field-set.ts";
import type { Managers, Ownership } from "./managers.ts";
import {
  decodeManagers,
  encodeManagers,
  entriesOf,
  namedSet,
} from "./managers.ts";
import type { Comparison } from "./walk.ts";

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

/** Fields of others that the changes touch. */
export function conflictsOf(
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
export function release(
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

/** An update may carry managedFields of its own; a subresource's may not. */
export function managersBefore(
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

export function ignoredBy({ resetFields }: Kind): FieldSet {
  return resetFields ? namedSet(resetFields) : emptySet;
}

export function without(
  { added, modified, removed }: Comparison,
  ignored: FieldSet,
): Comparison {
  return {
    added: recursiveDifference(added, ignored),
    modified: recursiveDifference(modified, ignored),
    removed: recursiveDifference(removed, ignored),
  };
}

export function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = asObject(object.metadata);
  return withKey(object, "metadata", metadata);
}

export function withManagers(
  object: JsonObject,
  managers: Managers,
): JsonObject {
  const entries = encodeManagers(managers);
  const metadata = asObject(object.metadata);
  const managedFields = entries.map((entry): JsonObject => ({ ...entry }));
  if (entries.length === 0) return object;
  return withKey(object, "metadata", { ...metadata, managedFields });
}
