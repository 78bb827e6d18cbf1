/**
 * Checks a value against a schema.
 * Models:     kube-openapi/pkg/validation/validate @ v1.36
 * Leaves out: what no structural schema may have: patternProperties,
 *             dependencies, lists of items, uniqueItems.
 * Longer because: it is one rule of the schema after another.
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../field-error.ts";
import { goJson, quote } from "../go-text.ts";
import { list, obj, same, str, strings } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";
import { hasFormat, isFormat } from "./formats.ts";
import type { Past } from "./past.ts";

export interface Fault {
  /** The text alone: the same is said once. */
  readonly text: string;
  readonly error: FieldError;
}

/** What is wrong, and how many rules were looked at: who fits best is told. */
class Result {
  readonly faults: Fault[] = [];
  matches = 0;

  add(...faults: readonly Fault[]): void {
    for (const fault of faults) {
      const known = this.faults.some(({ text }) => text === fault.text);
      if (!known) this.faults.push(fault);
    }
  }

  merge(other: Result): void {
    this.add(...other.faults);
    this.matches += other.matches;
  }

  get valid(): boolean {
    return this.faults.length === 0;
  }
}

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

function fault(error: FieldError, text: string): Fault {
  return { error, text };
}

/** A path of the root's fields begins with a point. */
function fieldOf(path: string): string {
  return path.replace(/^\./, "");
}

function wrong(path: string, value: Json, what: string): Fault {
  const text = `${path} in body ${what}`;
  return fault(invalid(fieldOf(path), value ?? "", text), text);
}

function typesOf(schema: JsonObject): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return ["integer", "string"];
  }
  return schema.type ? [str(schema.type)] : [];
}

function typeFault(path: string, types: readonly string[], is: string): Fault {
  const text = `${path} in body must be of type ${types.join(",")}: ${quote(is)}`;
  return fault(typeInvalid(fieldOf(path), is, text), text);
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) ? "integer" : "number";
}

function typeResult(
  value: Json,
  { format }: JsonObject,
  path: string,
  types: readonly string[],
): Result {
  const result = new Result();
  result.matches++;
  const is = typeOf(value);
  const numeric = types.includes("number") || types.includes("integer");
  const known = str(format) && isFormat(str(format));
  if (!numeric && known && (is === "string" || is === "array")) return result;
  if (known && is !== "string" && is !== "array" && !types.includes(is)) {
    const given = is === "integer" ? "int64" : is === "number" ? "float64" : "";
    const text = `${path} in body must be of type ${format}: ${quote(given)}`;
    result.add(fault(typeInvalid(fieldOf(path), given, text), text));
    return wrongType(result);
  }
  const fits =
    types.includes(is) || (is === "integer" && types.includes("number"));
  if (fits) return result;
  result.add(typeFault(path, types, is));
  return wrongType(result);
}

/** The real one gives back another result then, which counts nothing. */
function wrongType(result: Result): Result {
  result.matches = 0;
  return result;
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

function textResult(value: string, schema: JsonObject, path: string): Result {
  const result = new Result();
  const { pattern, minLength, maxLength } = schema;
  const length = [...value].length;
  if (typeof maxLength === "number" && length > maxLength) {
    const text = `${path} in body should be at most ${maxLength} chars long`;
    result.add(fault(tooLong(fieldOf(path), maxLength), text));
    return result;
  }
  if (typeof minLength === "number" && length < minLength) {
    const rule = `should be at least ${minLength} chars long`;
    result.add(wrong(path, value, rule));
    return result;
  }
  if (pattern && !regexOf(str(pattern)).test(value)) {
    result.add(wrong(path, value, `should match '${pattern}'`));
  }
  return result;
}

/** Go's and JavaScript's regular expressions agree in what is used here. */
function regexOf(pattern: string): RegExp {
  return new RegExp(pattern.replace(/\(\?P</g, "(?<"), "u");
}

function formatResult(value: string, schema: JsonObject, path: string) {
  const result = new Result();
  const format = str(schema.format);
  if (hasFormat(format, value)) return result;
  const text = `${path} in body must be of type ${format}: ${quote(value)}`;
  result.add(fault(typeInvalid(fieldOf(path), value, text), text));
  return result;
}

function numberResult(value: number, schema: JsonObject, path: string) {
  const result = new Result();
  const { multipleOf, maximum, minimum } = schema;
  const { exclusiveMaximum, exclusiveMinimum } = schema;
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    const rule = `should be a multiple of ${multipleOf}`;
    result.add(wrong(path, value, rule));
  }
  if (typeof minimum === "number") {
    const limit = minimum;
    if (exclusiveMinimum === true && value <= minimum) {
      result.add(wrong(path, value, `should be greater than ${limit}`));
    } else if (value < minimum) {
      const rule = `should be greater than or equal to ${limit}`;
      result.add(wrong(path, value, rule));
    }
  }
  if (typeof maximum === "number") {
    const limit = maximum;
    if (exclusiveMaximum === true && value >= maximum) {
      result.add(wrong(path, value, `should be less than ${limit}`));
    } else if (value > maximum) {
      const rule = `should be less than or equal to ${limit}`;
      result.add(wrong(path, value, rule));
    }
  }
  result.matches++;
  return result;
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, times);
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
  if (typeof minItems === "number" && value.length < minItems) {
    const rule = `should have at least ${minItems} items`;
    result.add(wrong(path, value.length, rule));
  }
  if (typeof maxItems === "number" && value.length > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`;
    const error = tooMany(fieldOf(path), value.length, maxItems);
    result.add(fault(error, text));
  }
  result.matches++;
  return result;
}

function enumFaults(value: Json, schema: JsonObject, path: string): Fault[] {
  const options = schema.enum as readonly Json[] | undefined;
  if (!options?.length || options.some((one) => same(one, value))) return [];
  const shown = options.map((one) =>
    typeof one === "string" ? one : goJson(one),
  );
  const text = `${path} in body should be one of [${shown.join(" ")}]`;
  return [fault(notSupported(fieldOf(path), value, shown), text)];
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
  if (typeof minProperties === "number" && names.length < minProperties) {
    const rule = `should have at least ${minProperties} properties`;
    result.add(wrong(path, names.length, rule));
  }
  if (typeof maxProperties === "number" && names.length > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`;
    const error = tooMany(fieldOf(path), names.length, maxProperties);
    result.add(fault(error, text));
  }
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
