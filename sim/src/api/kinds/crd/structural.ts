/**
 * Structural schemas: types are told outside of the logic (allOf, anyOf,
 * oneOf, not), which only narrows what is there.
 * Models: apiextensions-apiserver/pkg/apiserver/schema/{validation,complete}.go @ v1.36
 */
import {
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  required,
} from "../../field-error.ts";
import type { JsonObject } from "../../types.ts";
import { list, obj, same, str } from "../access.ts";
import { completeness, logicErrors } from "./structural-logic.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED = "x-kubernetes-embedded-resource";
const INT_OR_STRING = "x-kubernetes-int-or-string";

type Level = "root" | "item" | "field";

/** Sorted by their texts. */
export function structuralErrors(
  schema: JsonObject,
  path: string,
): FieldError[] {
  const errors = [
    ...invariants(schema, "root", path),
    ...completeness(schema, path),
  ];
  return errors
    .map((error) => [fieldErrorText(error), error] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, error]) => error);
}

const NO_TYPE: { readonly [level in Level]: string } = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function invariants(s: JsonObject, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { items, additionalProperties: more } = s;
  if (s.type === "array" && !items) {
    errors.push(required(`${path}.items`, "must be specified"));
  }
  if (items) errors.push(...invariants(obj(items), "item", `${path}.items`));
  for (const [name, child] of Object.entries(obj(s.properties))) {
    const at = `${path}.properties[${name}]`;
    errors.push(...invariants(obj(child), "field", at));
  }
  if (more !== undefined) {
    const at = `${path}.additionalProperties`;
    if (level === "root") {
      errors.push(forbidden(at, "must not be used at the root"));
    }
    if (typeof more === "object") {
      errors.push(...invariants(obj(more), "field", at));
    }
  }
  return [
    ...errors,
    ...extensionErrors(s, path),
    ...logicErrors(s, path, isIntOrString(s), isIntOrString(firstOfAll(s))),
    ...typeErrors(s, level, path),
    ...metaErrors(s, level, path),
  ];
}

function firstOfAll(s: JsonObject): JsonObject {
  return list(s.allOf)[0] ?? {};
}

/** The one place where logic may speak of types. */
function isIntOrString(s: JsonObject): boolean {
  return same(s.anyOf, [{ type: "integer" }, { type: "string" }]);
}

function extensionErrors(s: JsonObject, path: string): FieldError[] {
  if (s[INT_OR_STRING] !== true) return [];
  const rule = "must be false if x-kubernetes-int-or-string is true";
  return [PRESERVE, EMBEDDED]
    .filter((name) => s[name] === true)
    .map((name) => invalid(`${path}.${name}`, true, rule));
}

function typeErrors(s: JsonObject, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = str(s.type);
  const embedded = s[EMBEDDED] === true;
  const at = `${path}.type`;
  if (embedded && type !== "object") {
    const rule = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type ? invalid(at, type, rule) : required(at, rule));
  } else if (!type && s[INT_OR_STRING] !== true && s[PRESERVE] !== true) {
    errors.push(required(at, NO_TYPE[level]));
  }
  if (embedded && s.additionalProperties !== undefined) {
    const rule = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbidden(`${path}.additionalProperties`, rule));
  }
  if (level === "root" && type && type !== "object") {
    errors.push(invalid(at, type, "must be object at the root"));
  }
  const named = Object.keys(obj(s.properties)).length > 0;
  if (embedded && s[PRESERVE] !== true && !named) {
    const rule =
      "must not be empty if x-kubernetes-embedded-resource is true without " +
      "x-kubernetes-preserve-unknown-fields";
    errors.push(required(`${path}.properties`, rule));
  }
  return errors;
}

/** Of metadata a schema may only narrow the names. */
function metaErrors(s: JsonObject, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const properties = obj(s.properties);
  const whole = level === "root" || s[EMBEDDED] === true;
  for (const name of ["kind", "apiVersion"]) {
    const field = properties[name];
    const type = str(obj(field).type);
    if (!whole || field === undefined || type === "string") continue;
    const at = `${path}.properties[${name}].type`;
    errors.push(invalid(at, type, "must be string"));
  }
  const { metadata } = properties;
  if (metadata === undefined) return errors;
  const at = `${path}.properties[metadata]`;
  const { type, default: _, ...rest } = obj(metadata);
  if (whole && type !== "object") {
    errors.push(invalid(`${at}.type`, str(type), "must be object"));
  }
  const { properties: fields, ...others } = rest;
  const names = Object.keys(obj(fields));
  const allowed = names.every((one) => /^(generateName|name)$/.test(one));
  const said = Object.values(others).some((value) => value !== undefined);
  if (level === "root" && (!allowed || said)) {
    const rule =
      "must not specify anything other than name and generateName, but " +
      "metadata is implicitly specified";
    errors.push(forbidden(at, rule));
  }
  return errors;
}
