/**
 * ResourceQuota: how much a Namespace may use.
 * Models: pkg/registry/core/resourcequota/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import { at, map } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import {
  quotaChange,
  quotaErrors,
  quotaStatusErrors,
} from "./quota-validation.ts";
import type * as types from "./types/service.ts";

export type ResourceQuota = types.ResourceQuota;

export const ResourceQuota: Kind<ResourceQuota> = defineKind<ResourceQuota>({
  kind: "ResourceQuota",
  shortNames: ["quota"],
  emptyStatus: {},
  validate: quotaErrors,
  validateChange: quotaChange,
  validateStatusChange: quotaStatusErrors,
  columns: columns("Name|Request|Limit|Age"),
  row: (quota, now) => ({
    cells: [
      quota.metadata.name,
      used(quota, false),
      used(quota, true),
      age(quota, now),
    ],
  }),
});

/** `cpu: 1/2, pods: 3/10`; limits have a column of their own. */
function used(quota: Obj, limits: boolean): string {
  const hard = map(at(quota, "status", "hard"));
  const now = map(at(quota, "status", "used"));
  const names = Object.keys(hard).toSorted();
  return names
    .filter((name) => name.startsWith("limits.") === limits)
    .map((name) => `${name}: ${now[name] ?? "0"}/${hard[name]}`)
    .join(", ");
}
