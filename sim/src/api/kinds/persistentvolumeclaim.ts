/**
 * PersistentVolumeClaim: a wish for storage.
 * Models: pkg/registry/core/persistentvolumeclaim/strategy.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  notSupported,
  required,
} from "../field-error.ts";
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { bytes } from "../quantity.ts";
import { age, columns } from "../table.ts";
import type { Json, JsonObject } from "../types.ts";
import { at, obj, same, str, strings } from "./access.ts";
import { accessModesText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as service from "./types/service.ts";

export type { PersistentVolumeClaimStatus } from "./types/service.ts";
export type { PersistentVolumeClaimSpec } from "./types/volumes.ts";
export type PersistentVolumeClaim = service.PersistentVolumeClaim;

const accessModes = [
  "ReadOnlyMany",
  "ReadWriteMany",
  "ReadWriteOnce",
  "ReadWriteOncePod",
];

export const PersistentVolumeClaim: Kind<PersistentVolumeClaim> =
  defineKind<PersistentVolumeClaim>({
    kind: "PersistentVolumeClaim",
    shortNames: ["pvc"],
    emptyStatus: { phase: "Pending" },
    hooks: { PersistentVolumeClaimSpec: bothDataSources },
    columns: columns(
      "Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age|VolumeMode+",
    ),
    row: (claim, now) => {
      const spec = obj(claim.spec);
      const status = obj(claim.status);
      const bound = Boolean(spec.volumeName);
      return {
        cells: [
          claim.metadata.name,
          claim.metadata.deletionTimestamp ? "Terminating" : str(status.phase),
          str(spec.volumeName),
          bound ? str(at(status, "capacity", "storage")) || "0" : "",
          bound ? accessModesText(status.accessModes) : "",
          claim.metadata.annotations?.[OLD_CLASS] ?? str(spec.storageClassName),
          str(spec.volumeAttributesClassName ?? "<unset>"),
          age(claim, now),
          str(spec.volumeMode ?? "<unset>"),
        ],
      };
    },
    validate: (claim) => claimSpecErrors(obj(claim.spec), "spec"),
    validateChange,
  });

/** A data source in one field is in the other, too. */
function bothDataSources(spec: JsonObject): JsonObject {
  if (spec.dataSource && !spec.dataSourceRef)
    return { ...spec, dataSourceRef: spec.dataSource };
  const { dataSourceRef: ref } = spec;
  if (!ref || spec.dataSource || obj(ref).namespace) return spec;
  const group = str(obj(ref).apiGroup);
  const known = group === "snapshot.storage.k8s.io" || group === "";
  return known &&
    /^(VolumeSnapshot|PersistentVolumeClaim)$/.test(str(obj(ref).kind))
    ? { ...spec, dataSource: ref }
    : spec;
}

export function claimSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const modes = strings(spec.accessModes);
  if (modes.length === 0) {
    errors.push(
      required(`${path}.accessModes`, "at least 1 access mode is required"),
    );
  }
  for (const mode of modes) {
    if (!accessModes.includes(mode)) {
      errors.push(notSupported(`${path}.accessModes`, mode, accessModes));
    }
  }
  if (modes.includes("ReadWriteOncePod") && modes.length > 1) {
    const rule = "may not use ReadWriteOncePod with other access modes";
    errors.push(forbidden(`${path}.accessModes`, rule));
  }
  if (at(spec, "resources", "requests", "storage") === undefined) {
    errors.push(required(`${path}.resources[storage]`));
  }
  return errors;
}

/** A wish that cannot be met may be taken back, but no volume shrinks. */
function shrinkErrors(claim: Obj, old: Obj): FieldError[] {
  const size = (object: Obj, ...path: string[]) =>
    bytes(str(at(object, ...path, "storage")) || undefined);
  const wanted = size(claim, "spec", "resources", "requests");
  const before = size(old, "spec", "resources", "requests");
  const has = size(old, "status", "capacity");
  if (wanted >= before || wanted > has) return [];
  const path = "spec.resources.requests.storage";
  return [forbidden(path, "field can not be less than status.capacity")];
}

function validateChange(claim: Obj, old: Obj): FieldError[] {
  const bound = at(old, "status", "phase") === "Bound";
  const free = (spec: JsonObject): Json => {
    const { resources: _1, volumeAttributesClassName: _2, ...rest } = spec;
    return rest;
  };
  const [spec, before] = [obj(claim.spec), obj(old.spec)];
  const next = before.volumeName
    ? spec
    : { ...spec, volumeName: before.volumeName };
  if (same(free(next), free(before))) return shrinkErrors(claim, old);
  const rule =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return bound || !same(free(next), free(before))
    ? [forbidden("spec", rule)]
    : [];
}
