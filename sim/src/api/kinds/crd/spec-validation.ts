/**
 * A definition as a whole, new, changed, and in its status.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../../field-error.ts";
import { dns1035Label } from "../../names.ts";
import type { JsonObject } from "../../types.ts";
import { at, list, obj, str, strings } from "../access.ts";
import type { Obj } from "../definition.ts";
import { isShared, printedVersions, saidOf, someSchema } from "./hub.ts";
import { hasKeyFlaw, hasSetFlaw } from "./list-validation.ts";
import {
  approvalErrors,
  conversionErrors,
  groupErrors,
  nameErrors,
  neededNames,
} from "./name-validation.ts";
import { schemaFieldErrors } from "./schema-validation.ts";
import { STRICT, type Strictness } from "./strictness.ts";
import {
  columnsErrors,
  selectableErrors,
  subresourceErrors,
  warningErrors,
} from "./version-validation.ts";

export function definitionErrors(crd: Obj): FieldError[] {
  const spec = obj(crd.spec);
  const { name } = crd.metadata;
  const wanted = `${str(obj(spec.names).plural)}.${str(spec.group)}`;
  const rule = 'must be spec.names.plural+"."+spec.group';
  return [
    ...(name === wanted ? [] : [invalid("metadata.name", name, rule)]),
    ...specErrors(spec, STRICT, true),
    ...statusNameErrors(crd),
    ...storedErrors(crd),
    ...approvalErrors(crd),
    ...unknownErrors(spec, {}),
  ];
}

export function definitionChangeErrors(crd: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(crd.spec), obj(old.spec)];
  const established = list(at(old, "status", "conditions")).some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const strict: Strictness = {
    ...STRICT,
    atomicSets: !someSchema(before, hasSetFlaw),
    mapKeys: !someSchema(before, hasKeyFlaw),
  };
  const versions = strings(
    at(before, "conversion", "webhook", "conversionReviewVersions"),
  );
  const known =
    versions.length === 0 || versions.some((one) => /^v1(beta1)?$/.test(one));
  const immutable = (...path: readonly string[]) => {
    const [now, was] = [at(spec, ...path), at(before, ...path)];
    const field = `spec.${path.join(".")}`;
    return now === was ? [] : [invalid(field, now, "field is immutable")];
  };
  return [
    ...specErrors(spec, strict, known),
    ...(established
      ? [...immutable("scope"), ...immutable("names", "kind")]
      : []),
    ...immutable("group"),
    ...immutable("names", "plural"),
    ...statusNameErrors(crd),
    ...storedErrors(crd),
    ...approvalErrors(crd, old),
    ...unknownErrors(spec, before),
  ];
}

export function statusNameErrors(crd: Obj): FieldError[] {
  const names = obj(at(crd, "status", "acceptedNames"));
  return nameErrors(names, "status.acceptedNames");
}

function specErrors(
  spec: JsonObject,
  strict: Strictness,
  knownReview: boolean,
): FieldError[] {
  const versions = list(spec.versions);
  const names = obj(spec.names);
  const scopes = ["Cluster", "Namespaced"];
  const scope = str(spec.scope);
  const lacking = versions.flatMap((version, i) => {
    if (obj(version.schema).openAPIV3Schema !== undefined) return [];
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    return [required(path, "schemas are required")];
  });
  return [
    ...groupErrors(str(spec.group)),
    ...(scope ? [] : [required("spec.scope")]),
    ...(scope && !scopes.includes(scope)
      ? [notSupported("spec.scope", scope, scopes)]
      : []),
    ...lacking,
    ...versions.flatMap((version, i) =>
      versionErrors(spec, version, `spec.versions[${i}]`, strict),
    ),
    ...listErrors(spec, versions),
    ...neededNames(names),
    ...nameErrors(names, "spec.names"),
    ...variedErrors(spec, "", strict),
    ...(spec.conversion === undefined
      ? []
      : conversionErrors(obj(spec.conversion), knownReview)),
  ];
}

/** A name, a warning, and what is told of this version alone. */
function versionErrors(
  spec: JsonObject,
  version: JsonObject,
  path: string,
  strict: Strictness,
): FieldError[] {
  const name = str(version.name);
  const wrong = dns1035Label(name).join(",");
  return [
    ...(wrong ? [invalid(`${path}.name`, name, wrong)] : []),
    ...warningErrors(version, path),
    ...variedErrors(spec, path, strict),
  ];
}

/** `path` is a version's; "": what all versions say alike. */
function variedErrors(
  spec: JsonObject,
  path: string,
  strict: Strictness,
): FieldError[] {
  const own = (field: Parameters<typeof saidOf>[1]) =>
    saidOf(spec, field).filter((said) =>
      path ? said.path.startsWith(`${path}.`) : isShared(spec, field),
    );
  const hasStatus = (versions: readonly JsonObject[]) =>
    versions.some((one) => obj(one.subresources).status !== undefined);
  return [
    ...own("schema").flatMap((said) =>
      schemaFieldErrors(
        said.value,
        said.path,
        hasStatus(said.versions),
        strict,
      ),
    ),
    ...own("subresources").flatMap((said) =>
      subresourceErrors(obj(said.value), said.path),
    ),
    ...own("additionalPrinterColumns").flatMap((said) =>
      columnsErrors(said.value, said.path),
    ),
    ...own("selectableFields").flatMap((said) => {
      const schema = obj(obj(said.versions[0]?.schema).openAPIV3Schema);
      return selectableErrors(list(said.value), schema, said.path);
    }),
  ];
}

function listErrors(
  spec: JsonObject,
  versions: readonly JsonObject[],
): FieldError[] {
  const wrong = (rule: string) =>
    invalid("spec.versions", printedVersions(spec), rule);
  const names = new Set(versions.map(({ name }) => name));
  const stored = versions.filter(({ storage }) => storage === true);
  return [
    ...(names.size < versions.length
      ? [wrong("must contain unique version names")]
      : []),
    ...(stored.length === 1
      ? []
      : [wrong("must have exactly one version marked as storage version")]),
  ];
}

/** Objects may be stored in each version that is listed. */
function storedErrors(crd: Obj): FieldError[] {
  const path = "status.storedVersions";
  const stored = strings(at(crd, "status", "storedVersions"));
  if (stored.length === 0) {
    return [invalid(path, null, "must have at least one stored version")];
  }
  const versions = list(at(crd, "spec", "versions"));
  const errors = versions
    .filter(({ storage, name }) => storage && !stored.includes(str(name)))
    .map(({ name }) =>
      invalid(path, stored, `must have the storage version ${name}`),
    );
  const known = new Set(versions.map(({ name }) => name));
  for (const [i, name] of stored.entries()) {
    if (known.has(name)) continue;
    const rule = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(`${path}[${i}]`, name, rule));
  }
  return errors;
}

function unknownErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  if (spec.preserveUnknownFields !== true) return [];
  if (before.preserveUnknownFields === true) return [];
  const rule =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in " +
    "spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, rule)];
}
