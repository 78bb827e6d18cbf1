/**
 * Words of a schema that say how lists and maps are merged.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../field-error.ts";
import type { JsonObject } from "../../types.ts";
import { obj, str, strings } from "../access.ts";
import { needsType } from "./node-validation.ts";
import type { Strictness } from "./strictness.ts";

const LIST = "x-kubernetes-list-type";
const KEYS = "x-kubernetes-list-map-keys";
const MAP = "x-kubernetes-map-type";
const PRESERVE = "x-kubernetes-preserve-unknown-fields";

export function schemaListErrors(
  schema: JsonObject,
  path: string,
  strict: Strictness,
): FieldError[] {
  const errors: FieldError[] = [];
  if (schema[PRESERVE] === false) {
    const rule = "must be true or undefined";
    errors.push(invalid(`${path}.${PRESERVE}`, false, rule));
  }
  errors.push(...needsType(schema, path, "object", MAP));
  errors.push(...oneOf(schema, path, MAP, ["atomic", "granular"]));
  const needs = needsType(schema, path, "array", LIST);
  errors.push(...needs);
  if (needs.length === 0 && strict.atomicSets) {
    errors.push(...setErrors(schema, path));
  }
  errors.push(...oneOf(schema, path, LIST, ["atomic", "set", "map"]));
  if (strings(schema[KEYS]).length > 0 && schema[LIST] !== "map") {
    const rule = "must be map if x-kubernetes-list-map-keys is non-empty";
    const at = `${path}.${LIST}`;
    const type = schema[LIST];
    errors.push(
      type === undefined ? required(at, rule) : invalid(at, type, rule),
    );
  }
  if (schema[LIST] === "map") errors.push(...mapErrors(schema, path));
  return strict.mapKeys ? [...errors, ...keyErrors(schema, path)] : errors;
}

function oneOf(
  schema: JsonObject,
  path: string,
  word: string,
  known: readonly string[],
): FieldError[] {
  const value = schema[word];
  return value === undefined || known.includes(str(value))
    ? []
    : [notSupported(`${path}.${word}`, value, known)];
}

/** Items of a set are compared as a whole. */
function setErrors(schema: JsonObject, path: string): FieldError[] {
  if (schema[LIST] !== "set" || !schema.items) return [];
  const items = obj(schema.items);
  const rule =
    "must be atomic as item of a list with x-kubernetes-list-type=set";
  const shown = items[LIST] ?? "null";
  if (items.type === "array" && (items[LIST] ?? "atomic") !== "atomic") {
    return [invalid(`${path}.items.${LIST}`, shown, rule)];
  }
  return items.type === "object" && items[MAP] !== "atomic"
    ? [invalid(`${path}.items.${MAP}`, shown, rule)]
    : [];
}

function mapErrors(schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keys = strings(schema[KEYS]);
  if (keys.length === 0) {
    const rule = "must not be empty if x-kubernetes-list-type is map";
    errors.push(required(`${path}.${KEYS}`, rule));
  }
  if (!schema.items) {
    const rule = "must have a schema if x-kubernetes-list-type is map";
    return [...errors, required(`${path}.items`, rule)];
  }
  const items = obj(schema.items);
  if (items.type !== "object") {
    const rule =
      "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalid(`${path}.items.type`, str(items.type), rule)];
  }
  for (const [i, key] of keys.entries()) {
    const field = obj(items.properties)[key];
    const wrong = (rule: string) =>
      errors.push(invalid(`${path}.${KEYS}`, keys, rule));
    if (field === undefined) {
      wrong("entries must all be names of item properties");
    } else if (/^(array|object)$/.test(str(obj(field).type))) {
      const rule =
        "must be a scalar type if parent array's x-kubernetes-list-type is map";
      const at = `${path}.items.properties[${key}].type`;
      errors.push(invalid(at, items.type, rule));
    }
    if (keys.indexOf(key) < i) wrong("must not contain duplicate entries");
  }
  return errors;
}

/** Keys are there, or have a default. */
function keyErrors(schema: JsonObject, path: string): FieldError[] {
  const type = str(schema[LIST]);
  if (!schema.items || (type !== "set" && type !== "map")) return [];
  const items = obj(schema.items);
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const rule = `cannot be nullable when x-kubernetes-list-type is ${type}`;
    errors.push(forbidden(`${path}.items.nullable`, rule));
  }
  for (const key of type === "map" ? strings(schema[KEYS]) : []) {
    const field = obj(items.properties)[key];
    if (field === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const said = "this property is in x-kubernetes-list-map-keys, so it";
    const given = (obj(field).default ?? null) !== null;
    if (!strings(items.required).includes(key) && !given) {
      const rule = `${said} must have a default or be a required property`;
      errors.push(required(`${at}.default`, rule));
    }
    if (obj(field).nullable === true) {
      errors.push(forbidden(`${at}.nullable`, `${said} cannot be nullable`));
    }
  }
  return errors;
}

/** True if the schema has one of the flaws that an update may keep. */
export function hasSetFlaw(schema: JsonObject): boolean {
  return setErrors(schema, "").length > 0;
}

export function hasKeyFlaw(schema: JsonObject): boolean {
  return keyErrors(schema, "").length > 0;
}
