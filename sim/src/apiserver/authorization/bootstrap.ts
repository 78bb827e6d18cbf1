/**
 * The roles that every cluster has from its first second. A line is a rule:
 * group, verbs, resources.
 * Models: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go @ v1.36
 */
import type { JsonObject } from "../../api/types.ts";

export interface BootstrapObject {
  readonly resource: string;
  readonly object: JsonObject;
}

export function bootstrapRoles(): BootstrapObject[] {
  return [];
}
