/**
 * What a claim's volume is filled from stands in two fields, an old and a new
 * one. The old one takes claims and snapshots alone; what is in one of them
 * comes into the other.
 * Models: DropDisabledFields, EnforceDataSourceBackwardsCompatibility and
 *         NormalizeDataSources of pkg/api/persistentvolumeclaim/util.go @ v1.36
 */
import type { JsonObject } from "../types.ts";
import { obj, str, without } from "./access.ts";
import type { Obj } from "./definition.ts";

/** `old` is undefined for a new claim. */
export function withSources(claim: Obj, old?: Obj): Obj {
  const spec = obj(claim.spec);
  if (!spec.dataSource && !spec.dataSourceRef) return claim;
  const next = paired(allowed(spec, obj(old?.spec)));
  return next === spec ? claim : { ...claim, spec: next };
}

function allowed(spec: JsonObject, before: JsonObject): JsonObject {
  // Sources in other namespaces are behind a gate that is shut.
  const far = Boolean(obj(spec.dataSourceRef).namespace);
  const next =
    far && !before.dataSourceRef ? without(spec, "dataSourceRef") : spec;
  const kept = before.dataSource || before.dataSourceRef || next.dataSourceRef;
  return kept || isOfOld(obj(next.dataSource))
    ? next
    : without(next, "dataSource");
}

function isOfOld({ kind, apiGroup }: JsonObject): boolean {
  const of = `${str(apiGroup)}/${str(kind)}`;
  return (
    of === "/PersistentVolumeClaim" ||
    of === "snapshot.storage.k8s.io/VolumeSnapshot"
  );
}

function paired(spec: JsonObject): JsonObject {
  const { dataSource: source, dataSourceRef: ref } = spec;
  if (source && !ref) return { ...spec, dataSourceRef: source };
  return ref && !source && !obj(ref).namespace
    ? { ...spec, dataSource: without(obj(ref), "namespace") }
    : spec;
}
