/**
 * CustomResourceDefinition: adds a kind to the API.
 * Models: apiextensions-apiserver/pkg/{registry/customresourcedefinition,apis/apiextensions} (in staging) @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1035Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str, strings } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from "./types/admission.ts";
export type CustomResourceDefinition = types.CustomResourceDefinition;

export const CustomResourceDefinition: Kind<CustomResourceDefinition> =
  defineKind<CustomResourceDefinition>({
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    emptyStatus: { acceptedNames: { kind: "", plural: "" } },
    generationOf: ["spec"],
    metaBy: "extension",
    hooks: { CustomResourceDefinitionSpec: specDefaults },
    validate,
    validateChange: (crd, old) => {
      const [spec, before] = [obj(crd.spec), obj(old.spec)];
      return ["group", "scope"]
        .filter((field) => spec[field] !== before[field])
        .map((field) =>
          invalid(`spec.${field}`, spec[field], "field is immutable"),
        );
    },
  });

function specDefaults(spec: JsonObject): JsonObject {
  let next = spec;
  if (next.conversion === undefined)
    next = { ...next, conversion: { strategy: "None" } };
  const names = obj(next.names);
  const { singular, listKind } = names;
  const kind = str(names.kind);
  if (!kind || (singular && listKind)) return next;
  const filled = {
    ...names,
    singular: singular || kind.toLowerCase(),
    listKind: listKind || `${kind}List`,
  };
  return { ...next, names: filled };
}

function validate(crd: Obj): FieldError[] {
  const spec = obj(crd.spec);
  const names = obj(spec.names);
  const errors: FieldError[] = [];
  const wanted = `${str(names.plural)}.${str(spec.group)}`;
  if (crd.metadata.name !== wanted) {
    const rule = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalid("metadata.name", crd.metadata.name, rule));
  }
  if (!spec.group) errors.push(required("spec.group"));
  else {
    for (const text of dns1123Subdomain(str(spec.group))) {
      errors.push(invalid("spec.group", spec.group, text));
    }
    if (!str(spec.group).includes(".")) {
      errors.push(
        invalid(
          "spec.group",
          spec.group,
          "should be a domain with at least one dot",
        ),
      );
    }
  }
  const scopes = ["Cluster", "Namespaced"];
  if (!spec.scope) errors.push(required("spec.scope"));
  else if (!scopes.includes(str(spec.scope))) {
    errors.push(notSupported("spec.scope", spec.scope, scopes));
  }
  return [
    ...errors,
    ...versionErrors(list(spec.versions)),
    ...conversionErrors(obj(spec.conversion)),
    ...nameErrors(names),
  ];
}

function versionErrors(versions: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  if (versions.filter((version) => version.storage === true).length !== 1) {
    const rule = "must have exactly one version marked as storage version";
    errors.push(invalid("spec.versions", versions, rule));
  }
  for (const [i, version] of versions.entries()) {
    const path = `spec.versions[${i}]`;
    for (const text of dns1035Label(str(version.name))) {
      errors.push(invalid(`${path}.name`, str(version.name), text));
    }
    if (!obj(version.schema).openAPIV3Schema) {
      errors.push(
        required(`${path}.schema.openAPIV3Schema`, "schemas are required"),
      );
    }
  }
  return errors;
}

function conversionErrors({ strategy, webhook }: JsonObject): FieldError[] {
  const path = "spec.conversion";
  const known = ["None", "Webhook"];
  if (!known.includes(str(strategy))) {
    return [notSupported(`${path}.strategy`, strategy, known)];
  }
  if (strategy === "None") return [];
  const { clientConfig, conversionReviewVersions } = obj(webhook);
  const errors: FieldError[] = [];
  if (!clientConfig) {
    const why = "required when strategy is set to Webhook";
    errors.push(required(`${path}.webhookClientConfig`, why));
  }
  if (strings(conversionReviewVersions).length === 0) {
    errors.push(required(`${path}.conversionReviewVersions`, ""));
  }
  return errors;
}

function nameErrors(names: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const path = "spec.names";
  for (const field of ["plural", "singular"]) {
    const name = str(names[field]);
    for (const text of name || field === "plural" ? dns1035Label(name) : []) {
      errors.push(invalid(`${path}.${field}`, name, text));
    }
  }
  if (!names.kind) errors.push(required(`${path}.kind`));
  else {
    for (const text of dns1035Label(str(names.kind).toLowerCase())) {
      errors.push(
        invalid(
          `${path}.kind`,
          names.kind,
          `may have mixed case, but should otherwise match: ${text}`,
        ),
      );
    }
  }
  for (const [i, name] of strings(names.shortNames).entries()) {
    for (const text of dns1035Label(name)) {
      errors.push(invalid(`${path}.shortNames[${i}]`, name, text));
    }
  }
  return errors;
}
