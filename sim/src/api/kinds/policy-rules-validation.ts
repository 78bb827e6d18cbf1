/**
 * What a ValidatingAdmissionPolicy asks, says and notes.
 * Models: pkg/apis/admissionregistration/validation/validation.go @ v1.36
 */
import { compileErrors } from "../cel/compile.ts";
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, str } from "./access.ts";
import type { Obj } from "./definition.ts";

/** An expression that must be there, of one of the types if any is asked. */
export function expressionErrors(
  value: unknown,
  path: string,
  names: readonly string[],
  types: readonly string[] = [],
): FieldError[] {
  const expression = str(value);
  if (!expression.trim()) {
    return [required(path, "expression is not specified")];
  }
  return compileErrors(expression, names, types).map((text) =>
    invalid(path, expression, text),
  );
}

const ANNOTATIONS_MAX = 20;
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

export function validationsErrors(
  policy: Obj,
  spec: JsonObject,
  names: readonly string[],
): FieldError[] {
  const [validations, notes] = [
    list(spec.validations),
    list(spec.auditAnnotations),
  ];
  if (validations.length === 0 && notes.length === 0) {
    const text =
      "validations or auditAnnotations must contain at least one item";
    return ["validations", "auditAnnotations"].map((field) =>
      required(`spec.${field}`, text),
    );
  }
  const errors = validations.flatMap((one, i) =>
    validationErrors(one, `spec.validations[${i}]`, names),
  );
  if (notes.length > ANNOTATIONS_MAX) {
    const rule = `must not have more than ${ANNOTATIONS_MAX} auditAnnotations`;
    errors.push(invalid("spec.auditAnnotations", notes, rule));
  }
  for (const [i, note] of notes.entries()) {
    const path = `spec.auditAnnotations[${i}]`;
    errors.push(...noteErrors(policy.metadata.name, note, path, names));
    if (notes.findIndex(({ key }) => key === note.key) < i) {
      errors.push(duplicate(`${path}.key`, note.key));
    }
  }
  return errors;
}

function validationErrors(
  validation: JsonObject,
  path: string,
  names: readonly string[],
): FieldError[] {
  const { message, messageExpression, reason } = validation;
  const errors = expressionErrors(
    validation.expression,
    `${path}.expression`,
    names,
    ["bool"],
  );
  if (messageExpression) {
    const at = `${path}.messageExpression`;
    // Whoever is refused learns nothing of rights that were looked up.
    const told = names.filter((name) => !name.startsWith("authorizer"));
    errors.push(
      ...(str(messageExpression).trim()
        ? expressionErrors(messageExpression, at, told, ["string"])
        : [invalid(at, messageExpression, "must be non-empty if specified")]),
    );
  }
  const text = str(message).trim();
  if (message && !text) {
    const rule = "message must be non-empty if specified";
    errors.push(invalid(`${path}.message`, message, rule));
  } else if (/[\n\r]/.test(text)) {
    const rule = "message must not contain line breaks";
    errors.push(invalid(`${path}.message`, message, rule));
  }
  if (reason !== undefined && !REASONS.includes(str(reason))) {
    errors.push(notSupported(`${path}.reason`, reason, REASONS));
  }
  return errors;
}

const NOTE_BYTES_MAX = 5 * 1024;

function noteErrors(
  policy: string,
  { key, valueExpression }: JsonObject,
  path: string,
  names: readonly string[],
): FieldError[] {
  const whole = `${policy}/${str(key)}`;
  const errors = labelKey(whole).map((text) =>
    invalid(`${path}.key`, whole, text),
  );
  const at = `${path}.valueExpression`;
  const expression = str(valueExpression).trim();
  if (!expression) {
    return [...errors, required(at, "valueExpression is not specified")];
  }
  if (expression.length > NOTE_BYTES_MAX) {
    const rule = `must not exceed ${NOTE_BYTES_MAX} bytes in length`;
    return [...errors, required(at, rule)];
  }
  const wrong = compileErrors(expression, names, ["string", "null_type"]);
  return [
    ...errors,
    ...wrong.map((text) => invalid(at, valueExpression, text)),
  ];
}
