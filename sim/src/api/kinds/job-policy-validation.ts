/**
 * What a Job's policies of failure and of success may say.
 * Models: validatePodFailurePolicy, validateSuccessPolicy of
 *         pkg/apis/batch/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  invalidUnshown,
  notSupported,
  required,
  tooMany,
} from "../field-error.ts";
import { quote } from "../go-text.ts";
import { labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { at, list, num, obj, str } from "./access.ts";
import { internalJson } from "./internal-json.ts";
import { readIndexes } from "./job-indexes.ts";
import { negativeErrors } from "./shared-validation.ts";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];
const rulesMax = 20;
const valuesMax = 255;

export function failurePolicyErrors(
  spec: JsonObject,
  path: string,
): FieldError[] {
  const rules = list(obj(spec.podFailurePolicy).rules);
  const inner = obj(obj(spec.template).spec);
  const containers = ["containers", "initContainers"].flatMap((field) =>
    list(inner[field]).map(({ name }) => str(name)),
  );
  return [
    ...countErrors(rules, `${path}.rules`, rulesMax),
    ...rules.flatMap((rule, i) =>
      ruleErrors(rule, spec, containers, `${path}.rules[${i}]`),
    ),
  ];
}

function countErrors(items: readonly unknown[], path: string, max: number) {
  return items.length > max ? [tooMany(path, items.length, max)] : [];
}

function oneOf(value: unknown, path: string, known: readonly string[]) {
  const listed = known.map(quote).join(" ");
  if (!value) return [required(path, `valid values: [${listed}]`)];
  return known.includes(str(value)) ? [] : [notSupported(path, value, known)];
}

function ruleErrors(
  rule: JsonObject,
  spec: JsonObject,
  containers: readonly string[],
  path: string,
): FieldError[] {
  const { action, onExitCodes: codes } = rule;
  const conditions = list(rule.onPodConditions);
  const errors = oneOf(action, `${path}.action`, actions);
  if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    const why = "requires the backoffLimitPerIndex to be set";
    errors.push(invalid(`${path}.action`, action, why));
  }
  if (codes !== undefined)
    errors.push(...codesErrors(obj(codes), containers, `${path}.onExitCodes`));
  errors.push(...conditionsErrors(conditions, `${path}.onPodConditions`));
  const both = codes !== undefined && conditions.length > 0;
  if (both || (codes === undefined && conditions.length === 0)) {
    const why = both
      ? "specifying both OnExitCodes and OnPodConditions is not supported"
      : "specifying one of OnExitCodes and OnPodConditions is required";
    errors.push(invalidUnshown(path, why));
  }
  return errors;
}

function conditionsErrors(
  conditions: readonly JsonObject[],
  path: string,
): FieldError[] {
  return [
    ...countErrors(conditions, path, rulesMax),
    ...conditions.flatMap(({ type, status }, i) => [
      ...labelKey(str(type)).map((text) =>
        invalid(`${path}[${i}].type`, str(type), text),
      ),
      ...oneOf(status, `${path}[${i}].status`, statuses),
    ]),
  ];
}

function codesErrors(
  codes: JsonObject,
  containers: readonly string[],
  path: string,
): FieldError[] {
  const { operator, containerName: name } = codes;
  const values = Array.isArray(codes.values) ? codes.values.map(num) : [];
  const where = `${path}.values`;
  const errors = oneOf(operator, `${path}.operator`, operators);
  if (name !== undefined && !containers.includes(str(name))) {
    const why =
      "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(`${path}.containerName`, name, why));
  }
  if (values.length === 0) {
    const shown = codes.values ?? null;
    errors.push(invalid(where, shown, "at least one value is required"));
  }
  errors.push(...countErrors(values, where, valuesMax));
  for (const [i, value] of values.entries()) {
    if (operator === "In" && value === 0) {
      const why = "must not be 0 for the In operator";
      errors.push(invalid(`${where}[${i}]`, value, why));
    }
    if (values.indexOf(value) < i)
      errors.push(duplicate(`${where}[${i}]`, value));
  }
  if (values.some((value, i) => i > 0 && (values[i - 1] ?? 0) > value)) {
    errors.push(invalid(where, values, "must be ordered"));
  }
  return errors;
}

const indexesBytesMax = 64 * 1024;

export function successPolicyErrors(
  spec: JsonObject,
  path: string,
): FieldError[] {
  if (spec.completionMode !== "Indexed") {
    const shown = internalJson("SuccessPolicy", obj(spec.successPolicy));
    return [invalid(path, shown, "requires indexed completion mode")];
  }
  const rules = list(at(spec, "successPolicy", "rules"));
  const where = `${path}.rules`;
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const why =
      "at least one rules must be specified when the successPolicy is specified";
    errors.push(required(where, why));
  }
  errors.push(...countErrors(rules, where, rulesMax));
  for (const [i, rule] of rules.entries()) {
    const completions = num(spec.completions);
    errors.push(...successRuleErrors(rule, completions, `${where}[${i}]`));
  }
  return errors;
}

function successRuleErrors(
  { succeededCount: count, succeededIndexes: indexes }: JsonObject,
  completions: number,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    const why =
      "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(required(path, why));
  }
  let total = 0;
  if (indexes !== undefined) {
    const where = `${path}.succeededIndexes`;
    const read = readIndexes(str(indexes), completions);
    if (typeof read === "number") total = read;
    else {
      const why = `error parsing succeededIndexes: ${read}`;
      errors.push(invalid(where, indexes, why));
    }
    if (str(indexes).length > indexesBytesMax) {
      const why = `may not be more than ${indexesBytesMax} bytes`;
      errors.push(invalid(where, indexes, why));
    }
  }
  if (count === undefined) return errors;
  const where = `${path}.succeededCount`;
  const most = (max: number, of: string) => {
    if (num(count) <= max) return;
    const why = `must be less than or equal to ${max} (the number of ${of})`;
    errors.push(invalid(where, count, why));
  };
  errors.push(...negativeErrors(count, where));
  most(completions, "specified completions");
  if (indexes !== undefined)
    most(total, "indexes in the specified succeededIndexes field");
  return errors;
}
