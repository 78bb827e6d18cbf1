/**
 * Checks an object against a structural schema, rules in CEL included.
 * Models:     kube-openapi/pkg/validation/validate, apiextensions-apiserver/
 *             pkg/apiserver/{validation,schema/cel} @ v1.36
 * Leaves out: formats, uniqueItems.
 * Longer because: it is one rule of the schema after another.
 */

import { CelError, evaluateCel } from "../cel/cel.ts";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../field-error.ts";
import { list, obj, same, str, strings } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";

const INT_OR_STRING = "x-kubernetes-int-or-string";
const RULES = "x-kubernetes-validations";

/** `old` is the value before an update, for rules that compare. */
export function schemaErrors(
  value: Json,
  schema: JsonObject,
  path: string,
  old?: Json,
): FieldError[] {
  if (value === null && schema.nullable === true) return [];
  const wrong = typeError(value, schema, path);
  if (wrong) return [wrong];
  const errors = [
    ...valueErrors(value, schema, path),
    ...combined(value, schema, path),
  ];
  if (Array.isArray(value))
    errors.push(...itemErrors(value, schema, path, old));
  else if (typeof value === "object" && value !== null) {
    errors.push(...fieldErrors(value as JsonObject, schema, path, obj(old)));
  }
  if (errors.length === 0) errors.push(...ruleErrors(value, schema, path, old));
  return errors;
}

function typeOf(value: Json): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") {
    return Number.isInteger(value) ? "integer" : "number";
  }
  return typeof value;
}

function typeError(value: Json, schema: JsonObject, path: string) {
  const is = typeOf(value);
  if (schema[INT_OR_STRING] === true) {
    if (is === "integer" || is === "string") return undefined;
    return typeInvalid(
      path,
      is,
      `${path} in body must be of type integer or string: "${is}"`,
    );
  }
  const wanted = str(schema.type);
  if (!wanted || is === wanted || (wanted === "number" && is === "integer")) {
    return undefined;
  }
  return typeInvalid(
    path,
    is,
    `${path} in body must be of type ${wanted}: "${is}"`,
  );
}

function valueErrors(
  value: Json,
  schema: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const body = `${path} in body should`;
  const options = schema.enum as readonly Json[] | undefined;
  if (options && !options.some((option) => same(option, value))) {
    errors.push(notSupported(path, value, options.map(String)));
  }
  if (typeof value === "string") {
    const { pattern, minLength, maxLength } = schema;
    const length = [...value].length;
    if (typeof maxLength === "number" && length > maxLength) {
      errors.push(tooLong(path, maxLength));
    }
    if (typeof minLength === "number" && length < minLength) {
      errors.push(
        invalid(path, value, `${body} be at least ${minLength} chars long`),
      );
    }
    if (pattern && !new RegExp(str(pattern), "u").test(value)) {
      errors.push(invalid(path, value, `${body} match '${pattern}'`));
    }
  }
  if (typeof value === "number") {
    const { minimum, maximum } = schema;
    if (typeof minimum === "number" && value < minimum) {
      errors.push(
        invalid(path, value, `${body} be greater than or equal to ${minimum}`),
      );
    }
    if (typeof maximum === "number" && value > maximum) {
      errors.push(
        invalid(path, value, `${body} be less than or equal to ${maximum}`),
      );
    }
  }
  return errors;
}

function combined(value: Json, schema: JsonObject, path: string): FieldError[] {
  const fits = (one: JsonObject) => schemaErrors(value, one, path).length === 0;
  const errors = list(schema.allOf).flatMap((one) =>
    schemaErrors(value, one, path),
  );
  const any = list(schema.anyOf);
  if (any.length > 0 && schema[INT_OR_STRING] !== true && !any.some(fits)) {
    const rule = `"${path}" must validate at least one schema (anyOf)`;
    errors.push(invalid(path, value, rule));
  }
  const one = list(schema.oneOf);
  if (one.length > 0 && one.filter(fits).length !== 1) {
    const rule = `"${path}" must validate one and only one schema (oneOf)`;
    errors.push(invalid(path, value, rule));
  }
  if (schema.not && fits(obj(schema.not))) {
    errors.push(
      invalid(path, value, `"${path}" must not validate the schema (not)`),
    );
  }
  return errors;
}

function itemErrors(
  value: readonly Json[],
  schema: JsonObject,
  path: string,
  old: Json,
): FieldError[] {
  const errors: FieldError[] = [];
  const { minItems, maxItems } = schema;
  if (typeof maxItems === "number" && value.length > maxItems) {
    errors.push(tooMany(path, value.length, maxItems));
  }
  if (typeof minItems === "number" && value.length < minItems) {
    const rule = `${path} in body should have at least ${minItems} items`;
    errors.push(invalid(path, value.length, rule));
  }
  const items = obj(schema.items);
  const before = Array.isArray(old) ? old : [];
  for (const [i, item] of value.entries()) {
    errors.push(...schemaErrors(item, items, `${path}[${i}]`, before[i]));
  }
  return errors;
}

function fieldErrors(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  old: JsonObject,
): FieldError[] {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const errors = strings(schema.required)
    .filter((name) => value[name] === undefined)
    .map((name) => required(at(name)));
  const properties = obj(schema.properties);
  const rest = obj(schema.additionalProperties);
  for (const [name, child] of Object.entries(value)) {
    if (child === undefined) continue;
    // The server's own fields are checked as those of any object.
    if (path === "" && name === "metadata") continue;
    const field = properties[name] === undefined ? rest : obj(properties[name]);
    errors.push(...schemaErrors(child, field, at(name), old[name]));
  }
  return errors;
}

function ruleErrors(
  value: Json,
  schema: JsonObject,
  path: string,
  old: Json,
): FieldError[] {
  return list(schema[RULES]).flatMap((one) => {
    const rule = str(one.rule);
    // A rule about a change has nothing to say of what is new.
    if (/\boldSelf\b/.test(rule) && old === undefined) return [];
    const names = {
      self: value,
      ...(old === undefined ? {} : { oldSelf: old }),
    };
    try {
      if (evaluateCel(rule, names) === true) return [];
      const worked = one.messageExpression
        ? String(evaluateCel(str(one.messageExpression), names))
        : "";
      const message = worked || str(one.message) || `failed rule: ${rule}`;
      return [invalid(path || "<nil>", shown(value), message)];
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      const why = `rule evaluation error: ${rule}: ${error.message}`;
      return [invalid(path || "<nil>", shown(value), why)];
    }
  });
}

/** Whole objects are named by their type alone. */
function shown(value: Json): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? "object"
    : value;
}
