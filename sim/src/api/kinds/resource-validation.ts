/**
 * What `resources` may say.
 * Models:     validateResourceRequirements of
 *             pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: names of claims.
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { compareQuantities, parseQuantity } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { map } from "./access.ts";
import {
  amountErrors,
  containerResourceErrors,
  isHugePages,
  isOvercommitAllowed,
  pageErrors,
} from "./resource-names.ts";
import { notNegative } from "./shared-validation.ts";

type NameRule = (name: string, path: string) => readonly FieldError[];

export function resourceErrors(
  resources: JsonObject,
  path: string,
  nameRule: NameRule = containerResourceErrors,
): FieldError[] {
  if (resources.limits === undefined && resources.requests === undefined)
    return [];
  const errors: FieldError[] = [];
  const [limits, requests] = [map(resources.limits), map(resources.requests)];
  for (const name in limits) {
    const here = `${path}.limits[${name}]`;
    oneErrors(name, limits[name]!, here, nameRule, errors);
    if (isHugePages(name))
      errors.push(...pageErrors(name, limits[name]!, here));
  }
  for (const name in requests) {
    const [asked, here] = [requests[name]!, `${path}.requests[${name}]`];
    oneErrors(name, asked, here, nameRule, errors);
    if (asked !== limits[name])
      boundErrors(name, asked, limits[name], path, errors);
    if (isHugePages(name)) errors.push(...pageErrors(name, asked, here));
  }
  const all = Object.keys({ ...limits, ...requests });
  if (all.some(isHugePages) && !all.some(isComputed))
    errors.push(forbidden(path, "HugePages require cpu or memory"));
  return errors;
}

function isComputed(name: string): boolean {
  return name === "cpu" || name === "memory";
}

/** Its name and its amount. */
function oneErrors(
  name: string,
  amount: string,
  path: string,
  nameRule: NameRule,
  errors: FieldError[],
): void {
  if (isComputed(name)) {
    if (amount.startsWith("-")) errors.push(invalid(path, amount, notNegative));
    return;
  }
  errors.push(...nameRule(name, path), ...amountErrors(name, amount, path));
}

/** What is asked for has a limit, which it reaches or stays below. */
function boundErrors(
  name: string,
  asked: string,
  limit: string | undefined,
  path: string,
  errors: FieldError[],
): void {
  const firm = !isOvercommitAllowed(name);
  if (limit === undefined) {
    const rule = "Limit must be set for non overcommitable resources";
    if (firm) errors.push(required(`${path}.limits`, rule));
    return;
  }
  const order = compareQuantities(parseQuantity(asked), parseQuantity(limit));
  const refuse = (rule: string) =>
    errors.push(
      invalid(`${path}.requests`, asked, `${rule} ${name} limit of ${limit}`),
    );
  if (firm && order !== 0) refuse("must be equal to");
  else if (order > 0) refuse("must be less than or equal to");
}
