/**
 * StorageClass: how volumes of a kind are made.
 * Models: pkg/registry/storage/storageclass/strategy.go @ v1.36
 */
import { type FieldError, forbidden, required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { same, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
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
  validate: (object) => (object.provisioner ? [] : [required("provisioner")]),
  validateChange,
});

export function isDefaultClass({
  metadata,
}: Pick<StorageClass, "metadata">): boolean {
  return defaultMarks.some((mark) => metadata.annotations?.[mark] === "true");
}

function validateChange(object: Obj, old: Obj): FieldError[] {
  const fixed = [
    "parameters",
    "provisioner",
    "reclaimPolicy",
    "volumeBindingMode",
  ];
  return fixed
    .filter((field) => !same(object[field], old[field]))
    .map((field) => forbidden(field, `updates to ${field} are forbidden.`));
}
