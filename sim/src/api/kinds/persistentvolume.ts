/**
 * PersistentVolume: a piece of storage.
 * Models: pkg/registry/core/persistentvolume/strategy.go @ v1.36
 */
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { age, columns } from "../table.ts";
import { at, obj, str } from "./access.ts";
import { accessModesText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { volumeChange, volumeErrors } from "./persistentvolume-validation.ts";
import type * as types from "./types/persistent.ts";

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
    onCreate: (volume) => ({
      ...volume,
      status: {
        phase: "Pending",
        lastPhaseTransitionTime: volume.metadata.creationTimestamp,
      },
    }),
    validate: volumeErrors,
    validateChange: volumeChange,
    updateOrder: ["meta", "rules", "meta", "rules", "change"],
  });

function classOf(volume: Obj): string {
  return (
    volume.metadata.annotations?.[OLD_CLASS] ??
    str(at(volume, "spec", "storageClassName"))
  );
}
