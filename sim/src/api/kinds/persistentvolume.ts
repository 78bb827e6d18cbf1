/**
 * PersistentVolume: a piece of storage.
 * Models: pkg/registry/core/persistentvolume/strategy.go @ v1.36
 */
import { forbidden, required } from "../field-error.ts";
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { age, columns } from "../table.ts";
import { at, obj, same, str, strings } from "./access.ts";
import { accessModesText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/persistent.ts";
import { volumeSourceErrors } from "./volume-validation.ts";

export type * from "./types/persistent.ts";
export type PersistentVolume = types.PersistentVolume;

export const PersistentVolume: Kind<PersistentVolume> =
  defineKind<PersistentVolume>({
    kind: "PersistentVolume",
    namespaced: false,
    shortNames: ["pv"],
    emptyStatus: { phase: "Pending" },
    columns: columns(
      "Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age|VolumeMode+",
    ),
    row: (volume, now) => {
      const spec = obj(volume.spec);
      const claim = obj(spec.claimRef);
      const deleting = volume.metadata.deletionTimestamp;
      return {
        cells: [
          volume.metadata.name,
          str(at(spec, "capacity", "storage")) || "0",
          accessModesText(spec.accessModes),
          str(spec.persistentVolumeReclaimPolicy),
          deleting ? "Terminating" : str(at(volume, "status", "phase")),
          spec.claimRef ? `${str(claim.namespace)}/${str(claim.name)}` : "",
          classOf(volume),
          str(spec.volumeAttributesClassName ?? "<unset>"),
          str(at(volume, "status", "reason")),
          age(volume, now),
          str(spec.volumeMode ?? "<unset>"),
        ],
      };
    },
    validate: (volume) => {
      const spec = obj(volume.spec);
      const errors = [];
      if (strings(spec.accessModes).length === 0)
        errors.push(required("spec.accessModes"));
      if (!spec.capacity) errors.push(required("spec.capacity"));
      return [...errors, ...volumeSourceErrors(spec, "spec")];
    },
    validateChange: (volume, old) =>
      same(sourceOf(volume), sourceOf(old))
        ? []
        : [
            forbidden(
              "spec.persistentvolumesource",
              "spec.persistentvolumesource is immutable after creation",
            ),
          ],
  });

function classOf(volume: Obj): string {
  return (
    volume.metadata.annotations?.[OLD_CLASS] ??
    str(at(volume, "spec", "storageClassName"))
  );
}

/** The part of the spec that says where the storage is. */
function sourceOf(volume: Obj): unknown {
  const open = new Set([
    "capacity",
    "accessModes",
    "claimRef",
    "persistentVolumeReclaimPolicy",
  ]);
  return Object.fromEntries(
    Object.entries(obj(volume.spec)).filter(([name]) => !open.has(name)),
  );
}
