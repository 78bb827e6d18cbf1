/**
 * One condition of a selector: a key, an operator, values.
 * Models:     apimachinery/pkg/labels/selector.go, Requirement @ v1.36
 * Try:        make "!=" demand that the key be there.
 */
import { aggregate, fieldErrorText, invalid } from "../field-error.ts";
import { labelKey, labelValue } from "../names.ts";
import type { Labels } from "../types.ts";

export type Operator =
  | ("=" | "==" | "!=" | "in" | "notin")
  | ("exists" | "!" | "gt" | "lt");

/** Values are sorted and distinct. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** A selector or label that upstream refuses, in its words. */
export class SelectorError extends Error {}

/** Checks and builds a condition. `path` is that of the field it came from. */
export function requirement(
  key: string,
  operator: Operator,
  values: readonly string[],
  path = "",
): Requirement {
  const at = (child: string) => (path ? `${path}.${child}` : child);
  const errors = [
    ...labelKey(key)
      .slice(0, 1)
      .map(() => keyError(key, at("key"))),
    ...valueCountErrors(operator, values, at("values")),
  ];
  for (const [i, value] of values.entries()) {
    const complaints = labelValue(value);
    if (complaints.length === 0) continue;
    const field = `${at("values")}[${i}][${key}]`;
    errors.push(fieldErrorText(invalid(field, value, complaints.join("; "))));
  }
  if (errors.length > 0) throw new SelectorError(aggregate(errors));
  return { key, operator, values };
}

/** Throws if `key` cannot be a label's key. */
export function checkKey(key: string): void {
  if (labelKey(key).length > 0) throw new SelectorError(keyError(key, ""));
}

function keyError(key: string, field: string): string {
  return fieldErrorText(invalid(field, key, labelKey(key).join("; ")));
}

function valueCountErrors(
  operator: Operator,
  values: readonly string[],
  field: string,
): string[] {
  const complain = (text: string) => [
    fieldErrorText(invalid(field, values, text)),
  ];
  switch (operator) {
    case "in":
    case "notin":
      if (values.length > 0) return [];
      return complain("for 'in', 'notin' operators, values set can't be empty");
    case "exists":
    case "!":
      if (values.length === 0) return [];
      return complain("values set must be empty for exists and does not exist");
    case "gt":
    case "lt":
      return boundErrors(values, field);
    default:
      if (values.length === 1) return [];
      return complain("exact-match compatibility requires one single value");
  }
}

function boundErrors(values: readonly string[], field: string): string[] {
  const errors: string[] = [];
  if (values.length !== 1) {
    const text = "for 'Gt', 'Lt' operators, exactly one value is required";
    errors.push(fieldErrorText(invalid(field, values, text)));
  }
  for (const [i, value] of values.entries()) {
    if (int64(value) !== undefined) continue;
    const text = "for 'Gt', 'Lt' operators, the value must be an integer";
    errors.push(fieldErrorText(invalid(`${field}[${i}]`, value, text)));
  }
  return errors;
}

/** A test of labels, made once and then cheap. */
export function matcherOf(one: Requirement): (labels: Labels) => boolean {
  const { key, operator, values } = one;
  const [only = ""] = values;
  switch (operator) {
    case "=":
    case "==":
      return (labels) => labels[key] === only;
    case "!=":
      return (labels) => labels[key] !== only;
    case "exists":
      return (labels) => typeof labels[key] === "string";
    case "!":
      return (labels) => typeof labels[key] !== "string";
    case "in":
      return (labels) => values.includes(labels[key] ?? missing);
    case "notin":
      return (labels) => !values.includes(labels[key] ?? missing);
    default:
      return boundMatcher(key, operator, int64(only));
  }
}

/** No label's value can be this: it is refused. */
const missing = "\u0000";

function boundMatcher(key: string, operator: "gt" | "lt", bound?: bigint) {
  return (labels: Labels): boolean => {
    const value = int64(labels[key]);
    if (value === undefined || bound === undefined) return false;
    return operator === "gt" ? value > bound : value < bound;
  };
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[-+]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The condition as text: "app in (db,web)". */
export function requirementText({
  key,
  operator,
  values,
}: Requirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "!":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    case "gt":
      return `${key}>${values.join(",")}`;
    case "lt":
      return `${key}<${values.join(",")}`;
    default:
      return `${key}${operator}${values.join(",")}`;
  }
}
