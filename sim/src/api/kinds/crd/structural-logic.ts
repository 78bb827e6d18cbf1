/**
 * What logic may not say in a structural schema: it may only narrow what is
 * told outside of it.
 * Models: apiextensions-apiserver/pkg/apiserver/schema/{validation,complete}.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../../field-error.ts";
import type { Json, JsonObject } from "../../types.ts";
import { list, obj, str } from "../access.ts";

export function logicErrors(
  s: JsonObject,
  path: string,
  skipAny: boolean,
  skipFirstOfAll: boolean,
): FieldError[] {
  const each = (field: string, skip: (i: number) => boolean = () => false) =>
    list(s[field]).flatMap((one, i) =>
      nestedErrors(one, `${path}.${field}[${i}]`, skip(i)),
    );
  const pattern = str(s.pattern);
  const why = pattern ? whyNoPattern(pattern) : "";
  return [
    ...(skipAny ? [] : each("anyOf")),
    ...each("allOf", (i) => skipFirstOfAll && i === 0),
    ...each("oneOf"),
    ...(s.not ? nestedErrors(obj(s.not), `${path}.not`, false) : []),
    ...(why ? [invalid(`${path}.pattern`, pattern, why)] : []),
  ];
}

function whyNoPattern(pattern: string): string {
  try {
    new RegExp(pattern.replace(/\(\?P</g, "(?<"), "u");
    return "";
  } catch (error) {
    const { message } = error as Error;
    return `must be a valid regular expression, but isn't: error parsing regexp: ${message}`;
  }
}

/** What may not stand within logic, and why. */
const EMPTY = "must be empty to be structural";
const FALSE = "must be false to be structural";
const UNDEFINED = "must be undefined to be structural";
const UNSTRUCTURAL: readonly [string, string][] = [
  ["type", EMPTY],
  ["additionalProperties", UNDEFINED],
  ["default", UNDEFINED],
  ["title", EMPTY],
  ["description", EMPTY],
  ["nullable", FALSE],
  ["externalDocs", UNDEFINED],
  ["x-kubernetes-preserve-unknown-fields", FALSE],
  ["x-kubernetes-embedded-resource", FALSE],
  ["x-kubernetes-int-or-string", FALSE],
  ["x-kubernetes-list-map-keys", EMPTY],
  ["x-kubernetes-list-type", UNDEFINED],
  ["x-kubernetes-map-type", UNDEFINED],
  ["x-kubernetes-validations", EMPTY],
];

function isSaid(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== "" && value !== false;
}

function nestedErrors(
  v: JsonObject,
  path: string,
  skipAny: boolean,
): FieldError[] {
  const errors = logicErrors(v, path, skipAny, false);
  if (v.items)
    errors.push(...nestedErrors(obj(v.items), `${path}.items`, false));
  const fields = Object.entries(obj(v.properties));
  for (const [name, field] of fields) {
    const at = `${path}.properties[${name}]`;
    errors.push(...nestedErrors(obj(field), at, false));
  }
  for (const [field, rule] of UNSTRUCTURAL) {
    if (isSaid(v[field])) errors.push(forbidden(`${path}.${field}`, rule));
  }
  if (fields.some(([name]) => name === "metadata")) {
    const rule = "must not be specified in a nested context";
    errors.push(forbidden(`${path}.properties[metadata]`, rule));
  }
  return errors;
}

/** What logic speaks of must be told outside of it. */
export function completeness(s: JsonObject, path: string): FieldError[] {
  const errors = logicTold(s, s, path, path);
  const { items, additionalProperties: more } = s;
  if (items) errors.push(...completeness(obj(items), `${path}.items`));
  for (const [name, child] of Object.entries(obj(s.properties))) {
    errors.push(...completeness(obj(child), `${path}.properties[${name}]`));
  }
  if (typeof more === "object") {
    const at = `${path}.additionalProperties`;
    errors.push(...completeness(obj(more), at));
  }
  return errors;
}

function logicTold(
  v: JsonObject,
  s: JsonObject,
  at: string,
  path: string,
): FieldError[] {
  const errors = v.not ? told(obj(v.not), s, at, `${path}.not`) : [];
  for (const field of ["allOf", "anyOf", "oneOf"]) {
    for (const [i, one] of list(v[field]).entries()) {
      errors.push(...told(one, s, at, `${path}.${field}[${i}]`));
    }
  }
  return errors;
}

function told(v: JsonObject, s: Json, at: string, path: string): FieldError[] {
  if (s === undefined)
    return [required(at, `because it is defined in ${path}`)];
  const outer = obj(s);
  const errors = logicTold(v, outer, at, path);
  if (v.items) {
    const inner = told(
      obj(v.items),
      outer.items,
      `${at}.items`,
      `${path}.items`,
    );
    errors.push(...inner);
  }
  for (const [name, field] of Object.entries(obj(v.properties))) {
    const part = `.properties[${name}]`;
    const known = obj(outer.properties)[name];
    errors.push(...told(obj(field), known, at + part, path + part));
  }
  return errors;
}
