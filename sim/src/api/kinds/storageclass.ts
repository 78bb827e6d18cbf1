/**
 * StorageClass: how volumes of a kind are made.
 * Models: pkg/registry/storage/storageclass/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import { str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import {
  storageClassChange,
  storageClassErrors,
} from "./storage-validation.ts";
import type * as types from "./types/storage.ts";

export type StorageClass = types.StorageClass;

const defaultMarks = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const StorageClass: Kind<StorageClass> = defineKind<StorageClass>({
  group: "storage.k8s.io",
  kind: "StorageClass",
  namespaced: false,
  shortNames: ["sc"],
  columns: columns(
    "Name|Provisioner|ReclaimPolicy|VolumeBindingMode|AllowVolumeExpansion|Age",
  ),
  row: (object, now) => ({
    cells: [
      object.metadata.name + (isDefaultClass(object) ? " (default)" : ""),
      str(object.provisioner),
      str(object.reclaimPolicy ?? "Delete"),
      str(object.volumeBindingMode ?? "Immediate"),
      object.allowVolumeExpansion === true,
      age(object, now),
    ],
  }),
  validate: storageClassErrors,
  validateChange: storageClassChange,
  updateOrder: ["meta", "rules", "metaChange", "change"],
});

export function isDefaultClass({
  metadata,
}: Pick<StorageClass, "metadata">): boolean {
  return defaultMarks.some((mark) => metadata.annotations?.[mark] === "true");
}
