/**
 * What a LimitRange may say.
 * Models: ValidateLimitRange in pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { labelKey } from "../names.ts";
import {
  compareQuantities,
  isMore,
  milliValue,
  parseQuantity,
} from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import {
  containerResourceErrors,
  isOvercommitAllowed,
  resourceNameErrors,
} from "./resource-names.ts";

/** What may not be more than what; at which field; whose amount is shown. */
const orders = [
  ["min", "max", "min", "min", "min value", "max value"],
  [
    ...(["min", "defaultRequest", "defaultRequest", "defaultRequest"] as const),
    ...["min value", "default request value"],
  ],
  [
    ...(["defaultRequest", "max", "defaultRequest", "defaultRequest"] as const),
    ...["default request value", "max value"],
  ],
  [
    ...(["defaultRequest", "default"] as const),
    ...(["defaultRequest", "defaultRequest"] as const),
    ...["default request value", "default limit value"],
  ],
  ["min", "default", "default", "min", "min value", "default value"],
  ["default", "max", "default", "max", "default value", "max value"],
] as const;

const types = ["Container", "PersistentVolumeClaim", "Pod"];

export function limitRangeErrors(range: Obj): FieldError[] {
  const errors: FieldError[] = [];
  const used = new Set<string>();
  for (const [i, item] of list(at(range, "spec", "limits")).entries()) {
    const path = `spec.limits[${i}]`;
    const type = str(item.type);
    errors.push(...typeErrors(type, `${path}.type`));
    if (used.has(type)) errors.push(duplicate(`${path}.type`, type));
    used.add(type);
    errors.push(...nameErrors(item, type, path), ...orderErrors(item, path));
  }
  return errors;
}

function typeErrors(type: string, path: string): FieldError[] {
  const texts = labelKey(type);
  if (texts.length > 0) return texts.map((text) => invalid(path, type, text));
  const rule = "must be a standard limit type or fully qualified";
  return type.includes("/") || types.includes(type)
    ? []
    : [invalid(path, type, rule)];
}

function nameErrors(
  item: JsonObject,
  type: string,
  path: string,
): FieldError[] {
  const ofContainers = type === "Pod" || type === "Container";
  const check = ofContainers ? containerResourceErrors : resourceNameErrors;
  const named = (field: string) =>
    Object.keys(map(item[field])).flatMap((name) =>
      check(name, `${path}.${field}[${name}]`),
    );
  const errors = [...named("max"), ...named("min")];
  for (const field of ["default", "defaultRequest"]) {
    if (type !== "Pod") errors.push(...named(field));
    else if (Object.keys(map(item[field])).length > 0) {
      const rule = "may not be specified when `type` is 'Pod'";
      errors.push(forbidden(`${path}.${field}`, rule));
    }
  }
  const bounded = map(item.min).storage ?? map(item.max).storage;
  if (type === "PersistentVolumeClaim" && bounded === undefined) {
    const rule =
      "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(`${path}.limits`, rule));
  }
  return [...errors, ...named("maxLimitRequestRatio")];
}

function orderErrors(item: JsonObject, path: string): FieldError[] {
  const fields = ["max", "min", "maxLimitRequestRatio"];
  // What a Pod may not have is not compared.
  if (item.type !== "Pod") fields.push("default", "defaultRequest");
  const shown = (field: string, name: string) =>
    fields.includes(field) ? map(item[field])[name] : undefined;
  const names = fields.flatMap((field) => Object.keys(map(item[field])));
  return [...new Set(names)].toSorted().flatMap((name) => {
    const errors: FieldError[] = [];
    const of = (field: string) => shown(field, name);
    for (const [less, more, field, value, lessWord, moreWord] of orders) {
      const [low, high] = [of(less), of(more)];
      if (low === undefined || high === undefined || !isMore(low, high))
        continue;
      const rule = `${lessWord} ${low} is greater than ${moreWord} ${high}`;
      errors.push(invalid(`${path}.${field}[${name}]`, of(value), rule));
    }
    return [
      ...errors,
      ...ratioErrors(of, `${path}.maxLimitRequestRatio[${name}]`),
      ...firmErrors(of, name, `${path}.defaultRequest[${name}]`),
    ];
  });
}

type Amount = (field: string) => string | undefined;

function ratioErrors(of: Amount, path: string): FieldError[] {
  const [ratio, min, max] = [of("maxLimitRequestRatio"), of("min"), of("max")];
  if (ratio === undefined) return [];
  const errors: FieldError[] = [];
  if (isMore("1", ratio))
    errors.push(invalid(path, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return errors;
  const milli = (text: string) => Number(milliValue(parseQuantity(text)));
  const most = milli(max) / milli(min);
  if (milli(ratio) / 1000 <= most || Number.isNaN(most)) return errors;
  const rule = `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`;
  return [...errors, invalid(path, ratio, rule)];
}

/** What cannot be shared out twice is asked for as much as it is limited. */
function firmErrors(of: Amount, name: string, path: string): FieldError[] {
  const [limit, request] = [of("default"), of("defaultRequest")];
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined)
    return [];
  const [a, b] = [limit, request].map(parseQuantity);
  if (compareQuantities(a!, b!) === 0) return [];
  const rule = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [invalid(path, request, rule)];
}
