/**
 * Rules that many fields share.
 * Models: apimachinery/pkg/{util,api}/validation, apimachinery/pkg/apis/meta/v1/validation @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { labelKey, labelValue, portName, portNumber } from "../names.ts";
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelector,
  SelectorError,
} from "../selector.ts";
import type { Json, JsonObject } from "../types.ts";
import { list, num, obj, str, strings } from "./access.ts";
import { validateLabels } from "./metadata.ts";

export const notNegative = "must be greater than or equal to 0";

export function negativeErrors(value: unknown, path: string): FieldError[] {
  return typeof value === "number" && value < 0
    ? [invalid(path, value, notNegative)]
    : [];
}

/** One of the listed values; "" is missing. */
export function choiceErrors(
  value: unknown,
  path: string,
  supported: readonly string[],
): FieldError[] {
  if (!value) return [required(path)];
  return supported.includes(str(value))
    ? []
    : [notSupported(path, value, supported)];
}

/** One of the listed values, if it is there at all. */
export function optionalChoiceErrors(
  value: unknown,
  path: string,
  supported: readonly string[],
): FieldError[] {
  return value === undefined || supported.includes(str(value))
    ? []
    : [notSupported(path, value, supported)];
}

/** An integer that is not negative, or a percentage. */
export function countOrPercentErrors(
  value: unknown,
  path: string,
): FieldError[] {
  if (typeof value === "number") return negativeErrors(value, path);
  if (typeof value !== "string" || /^[0-9]+%$/.test(value)) return [];
  const rule =
    "a valid percent string must be a numeric string followed by an ending '%' " +
    "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalid(path, value, rule)];
}

export function over100PercentErrors(
  value: unknown,
  path: string,
): FieldError[] {
  const percent = typeof value === "string" ? Number.parseInt(value, 10) : 0;
  return percent > 100
    ? [invalid(path, value, "must not be greater than 100%")]
    : [];
}

/** What a count or percentage comes to; 0 only if it is zero. */
export function isZero(value: unknown): boolean {
  return Number.parseInt(`${value ?? 0}`, 10) === 0;
}

/** A port's number, or its name. */
export function portErrors(port: unknown, path: string): FieldError[] {
  const texts =
    typeof port === "number" ? portNumber(port) : portName(str(port));
  return texts.map((text) => invalid(path, port, text));
}

const operators = ["In", "NotIn", "Exists", "DoesNotExist"];

export function selectorErrors(selector: Json, path: string): FieldError[] {
  if (selector === undefined) return [];
  const errors = validateLabels(
    obj(obj(selector).matchLabels) as { [key: string]: string },
    `${path}.matchLabels`,
  );
  for (const [i, requirement] of list(
    obj(selector).matchExpressions,
  ).entries()) {
    errors.push(
      ...requirementErrors(requirement, `${path}.matchExpressions[${i}]`),
    );
  }
  return errors;
}

function requirementErrors(
  requirement: JsonObject,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const operator = str(requirement.operator);
  const values = strings(requirement.values);
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const rule = "must be specified when `operator` is 'In' or 'NotIn'";
      errors.push(required(`${path}.values`, rule));
    }
  } else if (operators.includes(operator)) {
    if (values.length > 0) {
      const rule =
        "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbidden(`${path}.values`, rule));
    }
  } else {
    errors.push(
      invalid(`${path}.operator`, operator, "not a valid selector operator"),
    );
  }
  for (const text of labelKey(str(requirement.key))) {
    errors.push(invalid(`${path}.key`, str(requirement.key), text));
  }
  for (const [i, value] of values.entries()) {
    for (const text of labelValue(value))
      errors.push(invalid(`${path}.values[${i}]`, value, text));
  }
  return errors;
}

/** The selector of an object; undefined if it cannot be read as one. */
export function readSelector(selector: Json): LabelSelector | undefined {
  try {
    return labelSelector(selector as LabelSelectorObject | undefined);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** `low <= value <= high`. */
export function rangeErrors(
  value: unknown,
  path: string,
  low: number,
  high: number,
): FieldError[] {
  if (value === undefined || (num(value) >= low && num(value) <= high))
    return [];
  return [
    invalid(path, value, `must be between ${low} and ${high}, inclusive`),
  ];
}
