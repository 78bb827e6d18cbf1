/**
 * Rules of a schema for texts and numbers, for a value's type and for the
 * values that it may have.
 * Models: kube-openapi/pkg/validation/validate/{type,validator}.go @ v1.36
 */
import { notSupported, tooLong, typeInvalid } from "../field-error.ts";
import { goJson, quote } from "../go-text.ts";
import { same, str } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";
import { hasFormat, isFormat } from "./formats.ts";
import {
  type Fault,
  fault,
  fieldOf,
  Result,
  typeFault,
  wrong,
} from "./result.ts";

export function typesOf(schema: JsonObject): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return ["integer", "string"];
  }
  return schema.type ? [str(schema.type)] : [];
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "array";
  if (typeof value !== "number") return typeof value;
  return Number.isInteger(value) ? "integer" : "number";
}

export function typeResult(
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

export function textResult(
  value: string,
  schema: JsonObject,
  path: string,
): Result {
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

export function formatResult(value: string, schema: JsonObject, path: string) {
  const result = new Result();
  const format = str(schema.format);
  if (hasFormat(format, value)) return result;
  const text = `${path} in body must be of type ${format}: ${quote(value)}`;
  result.add(fault(typeInvalid(fieldOf(path), value, text), text));
  return result;
}

export function numberResult(value: number, schema: JsonObject, path: string) {
  const result = new Result();
  const { multipleOf } = schema;
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    const rule = `should be a multiple of ${multipleOf}`;
    result.add(wrong(path, value, rule));
  }
  result.add(...boundFaults(value, schema, path));
  result.matches++;
  return result;
}

function boundFaults(value: number, schema: JsonObject, path: string) {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema;
  const rules: string[] = [];
  if (typeof minimum === "number") {
    const isMore = exclusiveMinimum === true && value <= minimum;
    if (isMore) rules.push(`greater than ${minimum}`);
    else if (value < minimum) rules.push(`greater than or equal to ${minimum}`);
  }
  if (typeof maximum === "number") {
    const isLess = exclusiveMaximum === true && value >= maximum;
    if (isLess) rules.push(`less than ${maximum}`);
    else if (value > maximum) rules.push(`less than or equal to ${maximum}`);
  }
  return rules.map((rule) => wrong(path, value, `should be ${rule}`));
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, times);
}

export function enumFaults(
  value: Json,
  schema: JsonObject,
  path: string,
): Fault[] {
  const options = schema.enum as readonly Json[] | undefined;
  if (!options?.length || options.some((one) => same(one, value))) return [];
  const shown = options.map((one) =>
    typeof one === "string" ? one : goJson(one),
  );
  const text = `${path} in body should be one of [${shown.join(" ")}]`;
  return [fault(notSupported(fieldOf(path), value, shown), text)];
}
