/**
 * A definition as the server sees it inside: what all versions say alike
 * stands once above them. So errors are told where nobody wrote anything:
 * `spec.validation`.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go @ v1.36
 */
import type { Json, JsonObject } from "../../types.ts";
import { list, obj, same, str } from "../access.ts";

/** Where a thing is said that versions may say each for themselves. */
export interface Said {
  readonly path: string;
  readonly value: Json;
  /** The versions that it holds for. */
  readonly versions: readonly JsonObject[];
}

const FIELDS = [
  "schema",
  "subresources",
  "additionalPrinterColumns",
  "selectableFields",
] as const;
export type Varied = (typeof FIELDS)[number];

/** True if all versions say it alike. */
export function isShared(spec: JsonObject, field: Varied): boolean {
  const [first, ...others] = list(spec.versions);
  return others.every((one) => same(one[field], first?.[field]));
}

/** Once, or for each version. */
export function saidOf(spec: JsonObject, field: Varied): Said[] {
  const versions = list(spec.versions);
  const own = field === "schema" ? "validation" : field;
  if (isShared(spec, field)) {
    return [{ path: `spec.${own}`, value: versions[0]?.[field], versions }];
  }
  return versions.map((version, i) => {
    const path = `spec.versions[${i}].${field}`;
    return { path, value: version[field], versions: [version] };
  });
}

/** Versions as the server prints them. */
export function printedVersions(spec: JsonObject): Json {
  const kept = (version: JsonObject, field: Varied) =>
    isShared(spec, field) ? null : (version[field] ?? null);
  return list(spec.versions).map((version) => ({
    Name: str(version.name),
    Served: version.served === true,
    Storage: version.storage === true,
    Deprecated: version.deprecated === true,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: kept(version, "schema"),
    Subresources: kept(version, "subresources"),
    AdditionalPrinterColumns: kept(version, "additionalPrinterColumns"),
    SelectableFields: kept(version, "selectableFields"),
  }));
}

/** Calls `look` on the schema and all within it. */
export function eachSchema(
  schema: JsonObject,
  look: (one: JsonObject) => void,
): void {
  look(schema);
  for (const field of ["items", "additionalProperties", "not"]) {
    const inner = schema[field];
    if (inner && typeof inner === "object") eachSchema(obj(inner), look);
  }
  for (const field of ["allOf", "anyOf", "oneOf"]) {
    for (const inner of list(schema[field])) eachSchema(inner, look);
  }
  for (const inner of Object.values(obj(schema.properties))) {
    eachSchema(obj(inner), look);
  }
}

/** True if `fits` holds for a schema of any version, or one within it. */
export function someSchema(
  spec: JsonObject,
  fits: (one: JsonObject) => boolean,
): boolean {
  let found = false;
  for (const version of list(spec.versions)) {
    eachSchema(obj(obj(version.schema).openAPIV3Schema), (one) => {
      found ||= fits(one);
    });
  }
  return found;
}
