/**
 * What a LimitRange and a ResourceQuota may say.
 * Models: ValidateLimitRange, ValidateResourceQuota in
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { labelKey } from "../names.ts";
import { isMore } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { notNegative } from "./shared-validation.ts";

/** What may not be greater than what, at which field, and what each is called. */
const orders = [
  ["min", "max", "min", "min value", "max value"],
  [
    "min",
    "defaultRequest",
    "defaultRequest",
    "min value",
    "default request value",
  ],
  [
    "defaultRequest",
    "max",
    "defaultRequest",
    "default request value",
    "max value",
  ],
  [
    "defaultRequest",
    "default",
    "defaultRequest",
    "default request value",
    "default limit value",
  ],
  ["min", "default", "default", "min value", "default value"],
  ["default", "max", "default", "default value", "max value"],
] as const;

export function limitRangeErrors(range: Obj): FieldError[] {
  const errors: FieldError[] = [];
  const used = new Set<string>();
  for (const [i, item] of list(at(range, "spec", "limits")).entries()) {
    const path = `spec.limits[${i}]`;
    const type = str(item.type);
    if (used.has(type)) errors.push(duplicate(`${path}.type`, type));
    used.add(type);
    errors.push(...typeErrors(item, type, path), ...orderErrors(item, path));
  }
  return errors;
}

function typeErrors(
  item: JsonObject,
  type: string,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (type === "Pod") {
    for (const field of ["default", "defaultRequest"]) {
      if (item[field] === undefined) continue;
      const rule = "may not be specified when `type` is 'Pod'";
      errors.push(forbidden(`${path}.${field}`, rule));
    }
  }
  const bounded = map(item.min).storage || map(item.max).storage;
  if (type === "PersistentVolumeClaim" && !bounded) {
    const rule =
      "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(path, rule));
  }
  return errors;
}

function orderErrors(item: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const fields = ["max", "min", "default", "defaultRequest"];
  const names = new Set(
    fields.flatMap((field) => Object.keys(map(item[field]))),
  );
  for (const name of [...names].toSorted()) {
    for (const [less, more, field, lessWord, moreWord] of orders) {
      const [low, high] = [map(item[less])[name], map(item[more])[name]];
      if (low === undefined || high === undefined || !isMore(low, high))
        continue;
      const rule = `${lessWord} ${low} is greater than ${moreWord} ${high}`;
      const shown = map(item[field])[name] ?? low;
      errors.push(invalid(`${path}.${field}[${name}]`, shown, rule));
    }
  }
  for (const [name, ratio] of Object.entries(map(item.maxLimitRequestRatio))) {
    if (!isMore("1", ratio)) continue;
    const where = `${path}.maxLimitRequestRatio[${name}]`;
    errors.push(invalid(where, ratio, `ratio ${ratio} is less than 1`));
  }
  return errors;
}

/** Plain names that a quota knows; others need a prefix. */
const counted = new Set([
  ...["pods", "services", "replicationcontrollers", "resourcequotas"],
  ...["secrets", "configmaps", "persistentvolumeclaims"],
  ...["services.nodeports", "services.loadbalancers"],
]);
const measured =
  /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$|^storage$|^requests\.storage$/;

export function quotaErrors(quota: Obj): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(map(at(quota, "spec", "hard")))) {
    const path = `spec.hard[${name}]`;
    for (const text of labelKey(name)) errors.push(invalid(path, name, text));
    const known = counted.has(name) || measured.test(name);
    if (
      !known &&
      !name.includes("/") &&
      !/^(requests\.)?hugepages-/.test(name)
    ) {
      errors.push(invalid(path, name, "must be a standard resource for quota"));
    }
    if (amount.startsWith("-")) errors.push(invalid(path, amount, notNegative));
    const whole = counted.has(name) || name.startsWith("count/");
    if (whole && amount.endsWith("m")) {
      errors.push(invalid(path, amount, "must be an integer"));
    }
  }
  return errors;
}
