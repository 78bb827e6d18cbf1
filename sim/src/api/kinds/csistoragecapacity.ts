/**
 * CSIStorageCapacity: how much room a driver has, where.
 * Models: pkg/registry/storage/csistoragecapacity/strategy.go @ v1.36
 */
import { invalid, required } from "../field-error.ts";
import { columns } from "../table.ts";
import { same, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/storage.ts";

export type CSIStorageCapacity = types.CSIStorageCapacity;

export const CSIStorageCapacity: Kind<CSIStorageCapacity> =
  defineKind<CSIStorageCapacity>({
    group: "storage.k8s.io",
    kind: "CSIStorageCapacity",
    columns: columns("Name|StorageClassName|Capacity"),
    row: (object) => ({
      cells: [
        object.metadata.name,
        str(object.storageClassName),
        str(object.capacity ?? "<unset>"),
      ],
    }),
    validate: (object) =>
      object.storageClassName ? [] : [required("storageClassName")],
    validateChange: (object, old) =>
      ["nodeTopology", "storageClassName"]
        .filter((field) => !same(object[field], old[field]))
        .map((field) =>
          invalid(field, object[field] ?? null, "field is immutable"),
        ),
  });
