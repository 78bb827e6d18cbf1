/**
 * Checks a value against a schema.
 * Models:     kube-openapi/pkg/validation/validate @ v1.36
 * Leaves out: what no structural schema may have: patternProperties,
 *             dependencies, lists of items, uniqueItems.
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { quote } from "../go-text.ts";
import { list, obj, str, strings } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";
import { isFormat } from "./formats.ts";
import type { Past } from "./past.ts";
import { countFaults, fault, fieldOf, Result, typeFault } from "./result.ts";
import {
  enumFaults,
  formatResult,
  numberResult,
  textResult,
  typeResult,
  typesOf,
} from "./scalar-validation.ts";

/** Errors of `value`, at `root` if it is a part of something. */
export function valueErrors(
  value: Json,
  schema: JsonObject,
  past?: Past,
  root = "",
): FieldError[] {
  const { faults } = validated(value, schema, "", past);
  return faults.map(({ error }) => {
    if (!root) return error;
    const field = error.field ? `${root}.${error.field}` : root;
    return { ...error, field };
  });
}

function validated(
  value: Json,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): Result {
  const result = new Result();
  const types = typesOf(schema);
  if (value === null || value === undefined) {
    result.matches++;
    if (types.length > 0 && schema.nullable !== true) {
      result.add(typeFault(path, types, "null"));
    }
    result.add(...enumFaults(value ?? null, schema, path));
    return result;
  }
  const steps: Result[] = [];
  if (types.length > 0 || str(schema.format)) {
    steps.push(typeResult(value, schema, path, types));
  }
  steps.push(combined(value, schema, path, past));
  if (typeof value === "string") steps.push(textResult(value, schema, path));
  if (typeof value === "string" && isFormat(str(schema.format))) {
    steps.push(formatResult(value, schema, path));
  }
  if (typeof value === "number") steps.push(numberResult(value, schema, path));
  if (Array.isArray(value)) {
    steps.push(itemsResult(value, schema, path, past));
  }
  const options = new Result();
  options.add(...enumFaults(value, schema, path));
  steps.push(options);
  if (typeof value === "object" && !Array.isArray(value)) {
    steps.push(objectResult(value as JsonObject, schema, path, past));
  }
  for (const step of steps) result.merge(step);
  result.matches += steps.length + 1;
  return result;
}

/** A part: what did not change is not complained of. */
function part(
  value: Json,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): Result {
  const result = validated(value, schema, path, past);
  if (!past?.related || result.valid || !past.unchanged) return result;
  const passed = new Result();
  passed.matches = result.matches;
  return passed;
}

function combined(
  value: Json,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): Result {
  const result = new Result();
  const each = (name: string) =>
    list(schema[name]).map((one) => validated(value, one, path, past));
  const about = (rule: string) => {
    const text = `${quote(path)} ${rule}`;
    return fault(invalid("<nil>", "", text), text);
  };
  const any = each("anyOf");
  if (any.length > 0) {
    const first = any.find(({ valid }) => valid);
    if (!first) {
      result.add(about("must validate at least one schema (anyOf)"));
    }
    result.merge(first ?? closest(any)!);
  }
  const one = each("oneOf");
  const fits = one.filter(({ valid }) => valid);
  if (one.length > 0 && fits.length !== 1) {
    const found =
      fits.length === 0
        ? "Found none valid"
        : `Found ${fits.length} valid alternatives`;
    const rule = `must validate one and only one schema (oneOf). ${found}`;
    result.add(about(rule));
    if (fits.length === 0) result.merge(closest(one)!);
  } else if (fits[0]) result.merge(fits[0]);
  const all = each("allOf");
  for (const other of all) result.merge(other);
  const valid = all.filter((other) => other.valid).length;
  if (valid !== all.length) {
    const none = valid === 0 ? ". None validated" : "";
    result.add(about(`must validate all the schemas (allOf)${none}`));
  }
  if (schema.not && validated(value, obj(schema.not), path, past).valid) {
    result.add(about("must not validate the schema (not)"));
  }
  result.matches++;
  return result;
}

/** The first of those of which the most rules held. */
function closest(results: readonly Result[]): Result | undefined {
  let best: Result | undefined;
  for (const one of results) {
    if (!best || one.matches > best.matches) best = one;
  }
  return best;
}

function itemsResult(
  value: readonly Json[],
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): Result {
  const result = new Result();
  const { minItems, maxItems, items } = schema;
  for (const [i, item] of items ? value.entries() : []) {
    const before = past?.item(i, schema);
    result.merge(part(item, obj(items), `${path}[${i}]`, before));
  }
  result.add(...countFaults(path, value.length, "items", minItems, maxItems));
  result.matches++;
  return result;
}

function objectResult(
  value: JsonObject,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): Result {
  const result = new Result();
  const properties = obj(schema.properties);
  const { minProperties, maxProperties, additionalProperties } = schema;
  const names = Object.keys(value);
  const [least, most] = [minProperties, maxProperties];
  result.add(...countFaults(path, names.length, "properties", least, most));
  for (const name of names) {
    if (Object.hasOwn(properties, name)) continue;
    if (additionalProperties === false) {
      const text = `${path}.${name} in body is a forbidden property`;
      result.add(fault(invalid(fieldOf(path), name, text), text));
    } else if (typeof additionalProperties === "object") {
      const before = past?.field(name, schema);
      const inner = obj(additionalProperties);
      result.merge(part(value[name], inner, `${path}.${name}`, before));
    }
  }
  for (const [name, child] of Object.entries(properties)) {
    if (value[name] === undefined) continue;
    const before = past?.field(name, schema);
    const at = path ? `${path}.${name}` : name;
    result.merge(part(value[name], obj(child), at, before));
  }
  for (const name of strings(schema.required)) {
    if (value[name] !== undefined) continue;
    const at = `${path}.${name}`;
    result.add(fault(required(fieldOf(at)), `${at} in body is required`));
  }
  return result;
}
