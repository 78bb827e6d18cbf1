/**
 * Who owns which fields: metadata.managedFields, decoded and encoded.
 * Models:     apimachinery/pkg/util/managedfields/internal @ v1.36
 */
import { goJson } from "../../go-text.ts";
import type { JsonObject, ManagedFieldsEntry } from "../../types.ts";
import { isObject } from "../value.ts";
import type { FieldSet } from "./field-set.ts";
import {
  decodeSet,
  encodeSet,
  isEmpty,
  recursiveDifference,
  setOf,
  union,
} from "./field-set.ts";

/** Who does something, and in which version of the kind. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource?: string;
}

export interface Ownership extends ManagerId {
  readonly time?: string;
  readonly set: FieldSet;
}

/** Ownerships by the text that identifies their manager. */
export type Managers = ReadonlyMap<string, Ownership>;

/** An applier is one manager, whatever version it applies in. */
export function idOf({
  manager,
  operation,
  apiVersion,
  subresource,
}: ManagerId): string {
  const version = operation === "Update" ? { apiVersion } : {};
  return goJson({
    manager,
    operation,
    ...version,
    ...(subresource ? { subresource } : {}),
  });
}

export function decodeManagers(
  entries: readonly ManagedFieldsEntry[] | undefined,
): Managers {
  const managers = new Map<string, Ownership>();
  for (const entry of entries ?? []) {
    const { manager, operation, apiVersion, subresource, time } = entry;
    const ownership = { manager, operation, apiVersion, subresource, time };
    managers.set(idOf(entry), { ...ownership, set: decodeSet(entry.fieldsV1) });
  }
  return managers;
}

/** Appliers first, then by time, then by name. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  const order = ({
    operation,
    time = "",
    manager,
    apiVersion,
    subresource = "",
  }: Ownership) =>
    [operation, time, manager, apiVersion, subresource].join("\0");
  const sorted = [...managers.values()].toSorted((a, b) =>
    order(a) < order(b) ? -1 : 1,
  );
  return sorted.map(
    ({ manager, operation, apiVersion, time, set, subresource }) => ({
      manager,
      operation,
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: "FieldsV1",
      fieldsV1: encodeSet(set),
      ...(subresource ? { subresource } : {}),
    }),
  );
}

/** Fields that the server sets, and nobody owns. */
const serverFields = [
  ["apiVersion"],
  ["kind"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
];

/** A path of field names as a set. */
export function namedSet(paths: readonly (readonly string[])[]): FieldSet {
  return union(...paths.map((path) => setOf(path.map((name) => `f:${name}`))));
}

const serverSet = namedSet(serverFields);

/** Without the server's fields; `metadata` itself has no owner either. */
export function withoutServerFields(set: FieldSet): FieldSet {
  const stripped = recursiveDifference(set, serverSet);
  const metadata = stripped.children.get("f:metadata");
  if (!metadata?.owned) return stripped;
  const children = new Map(stripped.children);
  const bare = { ...metadata, owned: false };
  if (isEmpty(bare)) children.delete("f:metadata");
  else children.set("f:metadata", bare);
  return { ...stripped, children };
}

/** At most so many managers update; older ones are summed up. */
const updatersMax = 10;
const ancient = "ancient-changes";

/** Folds the oldest updaters into one (a version) once there are too many. */
export function capped(managers: Managers): Managers {
  const updaters = [...managers.values()]
    .filter(({ operation }) => operation === "Update")
    .toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  const result = new Map(managers);
  const firsts = new Map<string, Ownership>();
  let count = updaters.length;
  for (const old of updaters) {
    if (count <= updatersMax) break;
    const { apiVersion, time } = old;
    const first = firsts.get(apiVersion);
    if (!first) {
      firsts.set(apiVersion, old);
      continue;
    }
    const bucket: ManagerId = {
      manager: ancient,
      operation: "Update",
      apiVersion,
    };
    const before = result.get(idOf(bucket)) ?? first;
    result.delete(idOf(before));
    result.delete(idOf(old));
    const set = union(before.set, old.set);
    result.set(idOf(bucket), { ...bucket, time, set });
    count--;
  }
  return result;
}

function ageOf(owner: Ownership): string {
  return `${owner.time ?? ""} ${idOf(owner)}`;
}

/** The object's managedFields, if it has any. */
export function entriesOf(
  object: JsonObject | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  const metadata = object?.metadata;
  const entries = isObject(metadata) ? metadata.managedFields : undefined;
  return Array.isArray(entries) ? entries : undefined;
}
