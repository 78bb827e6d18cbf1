/**
 * RoleBinding: who has a role in a Namespace.
 * Models: pkg/registry/rbac, pkg/apis/rbac/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import { columns } from "../table.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import {
  bindingColumns,
  bindingErrors,
  bindingRow,
  fixedRole,
  rbacName,
  rbacOrder,
  subjectHooks,
} from "./rbac-rules.ts";
import type * as types from "./types/auth.ts";

export type { RoleRef, Subject } from "./types/auth.ts";
export type RoleBinding = types.RoleBinding;

export const RoleBinding: Kind<RoleBinding> = defineKind<RoleBinding>({
  group: "rbac.authorization.k8s.io",
  kind: "RoleBinding",
  nameRule: rbacName,
  allowCreateOnUpdate: true,
  updateOrder: [...rbacOrder, "change"],
  hooks: subjectHooks,
  columns: columns(bindingColumns),
  row: bindingRow,
  validate: (binding) => bindingErrors(binding, true),
  validateChange: fixedRole,
});
