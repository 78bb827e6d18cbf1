/**
 * ReplicaSet: keeps a number of equal Pods.
 * Models: pkg/apis/apps/v1/defaults.go, pkg/registry/apps/replicaset/strategy.go @ v1.36
 */
import { columns } from "../table.ts";
import { at, num } from "./access.ts";
import { selectorText } from "./cells.ts";
import { defineKind, scaleSubresource, statusSubresource } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/apps.ts";
import { fixedSelector, replicaSetErrors } from "./workload-validation.ts";
import { mirrorInTemplate, replicaRow } from "./workloads.ts";

export type * from "./types/apps.ts";
export type ReplicaSet = types.ReplicaSet;

export const ReplicaSet: Kind<ReplicaSet> = defineKind<ReplicaSet>({
  group: "apps",
  kind: "ReplicaSet",
  shortNames: ["rs"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  emptyStatus: { replicas: 0 },
  generationOf: ["spec"],
  selectable: {
    "status.replicas": (object) => `${num(at(object, "status", "replicas"))}`,
  },
  columns: columns(
    "Name|Desired#|Current#|Ready#|Age|Containers+|Images+|Selector+",
  ),
  row: replicaRow(selectorText),
  validate: replicaSetErrors,
  validateChange: fixedSelector,
  onCreate: mirrorInTemplate,
  onUpdate: mirrorInTemplate,
});
