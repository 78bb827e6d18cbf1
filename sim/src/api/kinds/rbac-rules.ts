/**
 * What the four kinds of RBAC share.
 * Models: pkg/registry/rbac, pkg/apis/rbac/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Subdomain, pathSegmentName } from "../names.ts";
import type { Hooks } from "../schema/decode.ts";
import { age, type Row } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

const group = "rbac.authorization.k8s.io";

/** Names of RBAC objects are any path segment: `system:node`. */
export const rbacName = pathSegmentName;

/** A whole role is looked at again, then what changed. */
export const rbacOrder = ["meta", "rules", "metaChange"] as const;

export function ruleErrors(role: Obj, namespaced: boolean): FieldError[] {
  return list(role.rules).flatMap((rule, i) => {
    const path = `rules[${i}]`;
    const errors: FieldError[] = [];
    const urls = strings(rule.nonResourceURLs);
    if (strings(rule.verbs).length === 0) {
      errors.push(
        required(`${path}.verbs`, "verbs must contain at least one value"),
      );
    }
    if (urls.length > 0) {
      if (namespaced) {
        const text = "namespaced rules cannot apply to non-resource URLs";
        errors.push(invalid(`${path}.nonResourceURLs`, urls, text));
      }
      const ofResources = ["apiGroups", "resources", "resourceNames"];
      if (ofResources.some((field) => strings(rule[field]).length > 0)) {
        const text =
          "rules cannot apply to both regular resources and non-resource URLs";
        errors.push(invalid(`${path}.nonResourceURLs`, urls, text));
      }
      return errors;
    }
    if (strings(rule.apiGroups).length === 0) {
      const text = "resource rules must supply at least one api group";
      errors.push(required(`${path}.apiGroups`, text));
    }
    if (strings(rule.resources).length === 0) {
      const text = "resource rules must supply at least one resource";
      errors.push(required(`${path}.resources`, text));
    }
    return errors;
  });
}

/** Users and groups are of RBAC's own API group, ServiceAccounts of the core. */
export const subjectHooks: Hooks = Object.freeze({
  Subject: (subject: JsonObject): JsonObject =>
    !subject.apiGroup && /^(User|Group)$/.test(str(subject.kind))
      ? { ...subject, apiGroup: group }
      : subject,
});

export function bindingErrors(binding: Obj, namespaced: boolean): FieldError[] {
  const ref = obj(binding.roleRef);
  const errors: FieldError[] = [];
  if (ref.apiGroup !== group) {
    errors.push(notSupported("roleRef.apiGroup", str(ref.apiGroup), [group]));
  }
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(str(ref.kind))) {
    errors.push(notSupported("roleRef.kind", str(ref.kind), kinds));
  }
  if (!ref.name) errors.push(required("roleRef.name"));
  for (const text of rbacName(str(ref.name)))
    errors.push(invalid("roleRef.name", ref.name, text));
  for (const [i, subject] of list(binding.subjects).entries()) {
    errors.push(...subjectErrors(subject, `subjects[${i}]`, namespaced));
  }
  return errors;
}

function subjectErrors(
  subject: JsonObject,
  path: string,
  namespaced: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const kind = str(subject.kind);
  if (!subject.name) errors.push(required(`${path}.name`));
  if (kind === "ServiceAccount") {
    const name = str(subject.name);
    for (const text of name ? dns1123Subdomain(name) : [])
      errors.push(invalid(`${path}.name`, name, text));
    if (subject.apiGroup) {
      errors.push(notSupported(`${path}.apiGroup`, subject.apiGroup, [""]));
    }
    if (!subject.namespace && !namespaced)
      errors.push(required(`${path}.namespace`));
  } else if (kind === "User" || kind === "Group") {
    if (!subject.name) {
      const rule = `${kind.toLowerCase()} name cannot be empty`;
      errors.push(invalid(`${path}.name`, "", rule));
    }
    if (subject.apiGroup !== group) {
      errors.push(
        notSupported(`${path}.apiGroup`, str(subject.apiGroup), [group]),
      );
    }
  } else {
    const kinds = ["ServiceAccount", "User", "Group"];
    errors.push(notSupported(`${path}.kind`, kind, kinds));
  }
  return errors;
}

export function fixedRole(binding: Obj, old: Obj): FieldError[] {
  if (same(binding.roleRef, old.roleRef)) return [];
  const { apiGroup, kind, name } = obj(binding.roleRef);
  const shown = { APIGroup: apiGroup, Kind: kind, Name: name };
  return [invalid("roleRef", shown, "cannot change roleRef")];
}

export const bindingColumns = "Name|Role|Age|Users+|Groups+|ServiceAccounts+";

export const bindingRow: Row = (binding, now) => {
  const subjects = list(binding.subjects);
  const named = (kind: string) =>
    subjects.filter((subject) => subject.kind === kind);
  const accounts = named("ServiceAccount").map(
    ({ namespace, name }) => `${str(namespace)}/${str(name)}`,
  );
  return {
    cells: [
      binding.metadata.name,
      `${str(at(binding, "roleRef", "kind"))}/${str(at(binding, "roleRef", "name"))}`,
      age(binding, now),
      named("User")
        .map((subject) => str(subject.name))
        .join(", "),
      named("Group")
        .map((subject) => str(subject.name))
        .join(", "),
      accounts.join(", "),
    ],
  };
};
