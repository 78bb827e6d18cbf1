/**
 * CSINode: the storage drivers of one Node.
 * Models: pkg/registry/storage/csinode/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import { at, list } from "./access.ts";
import { csiNodeChange, csiNodeErrors } from "./csi-validation.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/storage.ts";

export type CSINode = types.CSINode;

export const CSINode: Kind<CSINode> = defineKind<CSINode>({
  group: "storage.k8s.io",
  kind: "CSINode",
  namespaced: false,
  validate: csiNodeErrors,
  validateChange: csiNodeChange,
  updateOrder: ["meta", "rules", "meta", "rules", "change"],
  allowUnconditionalUpdate: false,
  columns: columns("Name|Drivers#|Age"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      list(at(object, "spec", "drivers")).length,
      age(object, now),
    ],
  }),
});
