/**
 * ClusterRole: what may be done anywhere.
 * Models: pkg/registry/rbac, pkg/apis/rbac/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import { type FieldError, required } from "../field-error.ts";
import { list, obj } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { rbacName, rbacOrder, ruleErrors } from "./rbac-rules.ts";
import { selectorErrors } from "./shared-validation.ts";
import type * as types from "./types/auth.ts";

export type ClusterRole = types.ClusterRole;

export const ClusterRole: Kind<ClusterRole> = defineKind<ClusterRole>({
  group: "rbac.authorization.k8s.io",
  kind: "ClusterRole",
  namespaced: false,
  nameRule: rbacName,
  allowCreateOnUpdate: true,
  updateOrder: rbacOrder,
  validate: (role) => [...ruleErrors(role, false), ...selectorsErrors(role)],
});

/** A role that gathers others says which. */
function selectorsErrors({ aggregationRule }: Obj): FieldError[] {
  if (aggregationRule === undefined) return [];
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = list(obj(aggregationRule).clusterRoleSelectors);
  const rule =
    "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return selectors.length === 0
    ? [required(path, rule)]
    : selectors.flatMap((one, i) => selectorErrors(one, `${path}[${i}]`));
}
