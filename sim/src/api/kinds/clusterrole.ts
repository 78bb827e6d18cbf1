/**
 * ClusterRole: what may be done anywhere.
 * Models: pkg/registry/rbac, pkg/apis/rbac/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { rbacName, rbacOrder, ruleErrors } from "./rbac-rules.ts";
import type * as types from "./types/auth.ts";

export type ClusterRole = types.ClusterRole;

export const ClusterRole: Kind<ClusterRole> = defineKind<ClusterRole>({
  group: "rbac.authorization.k8s.io",
  kind: "ClusterRole",
  namespaced: false,
  nameRule: rbacName,
  allowCreateOnUpdate: true,
  updateOrder: rbacOrder,
  validate: (role) => ruleErrors(role, false),
});
