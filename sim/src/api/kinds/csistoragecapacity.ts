/**
 * CSIStorageCapacity: how much room a driver has, where.
 * Models: pkg/registry/storage/csistoragecapacity/strategy.go @ v1.36
 */
import { invalid } from "../field-error.ts";
import { dns1123Subdomain } from "../names.ts";
import { columns } from "../table.ts";
import type { Json } from "../types.ts";
import { same, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { notNegative, selectorErrors } from "./shared-validation.ts";
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
    validate: ({ nodeTopology, storageClassName: name, capacity }) => {
      const errors = selectorErrors(nodeTopology as Json, "nodeTopology");
      for (const text of dns1123Subdomain(str(name)))
        errors.push(invalid("storageClassName", str(name), text));
      if (str(capacity).startsWith("-"))
        errors.push(invalid("capacity", capacity, notNegative));
      return errors;
    },
    updateOrder: ["meta", "rules", "metaChange", "change"],
    allowUnconditionalUpdate: false,
    validateChange: (object, old) =>
      ["nodeTopology", "storageClassName"]
        .filter((field) => !same(object[field], old[field]))
        .map((field) =>
          invalid(field, object[field] ?? null, "field is immutable"),
        ),
  });
