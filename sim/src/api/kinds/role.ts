/**
 * Role: what may be done in one Namespace.
 * Models: pkg/registry/rbac, pkg/apis/rbac/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { rbacName, rbacOrder, ruleErrors } from "./rbac-rules.ts";
import type * as types from "./types/auth.ts";

export type { PolicyRule } from "./types/auth.ts";
export type Role = types.Role;

export const Role: Kind<Role> = defineKind<Role>({
  group: "rbac.authorization.k8s.io",
  kind: "Role",
  nameRule: rbacName,
  allowCreateOnUpdate: true,
  updateOrder: rbacOrder,
  validate: (role) => ruleErrors(role, true),
});
