/**
 * From `kubectl apply` to `kubectl apply --server-side`: what the annotation
 * says was applied is no conflict, and the annotation is kept up to date.
 * Models:     managedfields/internal/lastappliedmanager.go,
 *             lastappliedupdater.go; client-go/util/csaupgrade @ v1.36
 */
import { goSortedJson } from "../../go-text.ts";
import type { Json, JsonObject, ManagedFieldsEntry } from "../../types.ts";
import { isObject, withKey } from "../value.ts";
import { difference, isEmpty, setOf, union } from "./field-set.ts";
import type { Ownership } from "./managers.ts";
import { decodeManagers, encodeManagers, idOf } from "./managers.ts";
import type { Place } from "./shape.ts";
import { compare, fieldSetOf } from "./walk.ts";

export const lastAppliedAnnotation =
  "kubectl.kubernetes.io/last-applied-configuration";

/** Only kubectl itself may take over what kubectl applied before. */
export function isKubectl({
  manager,
  subresource,
}: {
  manager: string;
  subresource?: string;
}): boolean {
  return manager === "kubectl" && !subresource;
}

/** The conflicts that remain: not those over values applied by kubectl. */
export function notLastApplied(
  place: Place,
  live: JsonObject,
  conflicts: readonly Ownership[],
): Ownership[] {
  const applied = lastApplied(live);
  if (!applied) return [...conflicts];
  const { added, modified, removed } = compare(place, applied, live);
  const own = difference(
    fieldSetOf(place, applied),
    union(added, modified, removed),
  );
  const rest = conflicts.map((owner) => ({
    ...owner,
    set: difference(owner.set, own),
  }));
  // All or nothing: upstream forces only if no other conflict is left.
  return rest.filter(({ set }) => !isEmpty(set));
}

function lastApplied(live: JsonObject): JsonObject | undefined {
  const text = annotationsOf(live)[lastAppliedAnnotation];
  if (typeof text !== "string") return undefined;
  try {
    const parsed: Json = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the new configuration into the annotation, if it is there. */
export function syncLastApplied(
  object: JsonObject,
  config: JsonObject,
): JsonObject {
  const annotations = annotationsOf(object);
  if (annotations[lastAppliedAnnotation] === undefined) return object;
  const text = `${goSortedJson(withoutAnnotation(config))}\n`;
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const updated = withKey(annotations, lastAppliedAnnotation, text);
  return withKey(object, "metadata", withKey(metadata, "annotations", updated));
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { [lastAppliedAnnotation]: _, ...annotations } = annotationsOf(config);
  const {
    annotations: __,
    managedFields: ___,
    ...metadata
  } = isObject(config.metadata) ? config.metadata : {};
  const kept = Object.keys(annotations).length > 0 ? { annotations } : {};
  return withKey(config, "metadata", { ...metadata, ...kept });
}

function annotationsOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  const found = isObject(metadata) ? metadata.annotations : undefined;
  return isObject(found) ? found : {};
}

/**
 * What kubectl does to managedFields before its first server-side apply: what
 * the old updaters own becomes the applier's.
 */
export function upgradeManagedFields(
  entries: readonly ManagedFieldsEntry[],
  updaters: readonly string[],
  applier: string,
): ManagedFieldsEntry[] {
  const managers = new Map(decodeManagers(entries));
  const old = [...managers.values()].filter(
    ({ manager, operation, subresource }) =>
      operation === "Update" && !subresource && updaters.includes(manager),
  );
  const [first] = old;
  if (!first) return [...entries];
  for (const owner of old) managers.delete(idOf(owner));
  const target: Ownership = { ...first, manager: applier, operation: "Apply" };
  const known = managers.get(idOf(target)) ?? target;
  const path = ["metadata", "annotations", lastAppliedAnnotation].map(
    (name) => `f:${name}`,
  );
  const all = union(known.set, ...old.map(({ set }) => set));
  managers.set(idOf(target), { ...known, set: difference(all, setOf(path)) });
  return encodeManagers(managers);
}
