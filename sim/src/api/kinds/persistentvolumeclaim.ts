/**
 * PersistentVolumeClaim: a wish for storage.
 * Models: pkg/registry/core/persistentvolumeclaim/strategy.go @ v1.36
 */
import { OLD_CLASS } from "../helpers/storage-class.ts";
import { age, columns } from "../table.ts";
import { at, obj, str } from "./access.ts";
import { accessModesText } from "./cells.ts";
import { withSources } from "./claim-sources.ts";
import {
  claimChange,
  claimErrors,
  claimStatusErrors,
} from "./claim-validation.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as service from "./types/service.ts";

export type { PersistentVolumeClaimStatus } from "./types/service.ts";
export type { PersistentVolumeClaimSpec } from "./types/volumes.ts";
export type PersistentVolumeClaim = service.PersistentVolumeClaim;

export const PersistentVolumeClaim: Kind<PersistentVolumeClaim> =
  defineKind<PersistentVolumeClaim>({
    kind: "PersistentVolumeClaim",
    shortNames: ["pvc"],
    emptyStatus: { phase: "Pending" },
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
    onCreate: (claim) => withSources(claim),
    onUpdate: withSources,
    validate: claimErrors,
    validateChange: claimChange,
    validateStatusChange: claimStatusErrors,
    updateOrder: ["meta", "rules", "metaChange", "meta", "rules", "change"],
  });
