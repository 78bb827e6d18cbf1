/**
 * What is wrong with a field, in upstream's words.
 * Models:     apimachinery/pkg/util/validation/field/errors.go @ v1.36
 */
import { goJson, quote } from "./go-text.ts";
import type { StatusCause } from "./types.ts";

export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTooFew"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** `field` is a path as `spec.containers[0].name`; `body` what is wrong. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly body: string;
}

const words: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTooFew: "Too few",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

export function required(field: string, detail = ""): FieldError {
  return bare("FieldValueRequired", field, detail);
}

export function forbidden(field: string, detail: string): FieldError {
  return bare("FieldValueForbidden", field, detail);
}

export function invalid(
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  return withValue("FieldValueInvalid", field, value, detail);
}

/** The value is not shown. */
export function invalidUnshown(field: string, detail: string): FieldError {
  return bare("FieldValueInvalid", field, detail);
}

export function typeInvalid(
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  return withValue("FieldValueTypeInvalid", field, value, detail);
}

export function duplicate(
  field: string,
  value: unknown,
  detail = "",
): FieldError {
  return withValue("FieldValueDuplicate", field, value, detail);
}

export function notFoundField(field: string, value: unknown): FieldError {
  return withValue("FieldValueNotFound", field, value, "");
}

export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const listed = supported.map(quote).join(", ");
  const detail = supported.length > 0 ? `supported values: ${listed}` : "";
  return withValue("FieldValueNotSupported", field, value, detail);
}

export function tooLong(field: string, bytesMax: number): FieldError {
  const unit = bytesMax === 1 ? "byte" : "bytes";
  return bare(
    "FieldValueTooLong",
    field,
    `may not be more than ${bytesMax} ${unit}`,
  );
}

export function tooMany(
  field: string,
  count: number,
  countMax: number,
): FieldError {
  const unit = countMax === 1 ? "item" : "items";
  return withValue(
    "FieldValueTooMany",
    field,
    count,
    `must have at most ${countMax} ${unit}`,
  );
}

export function internal(field: string, reason: string): FieldError {
  return bare("InternalError", field, reason);
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0` */
export function fieldErrorText({ field, body }: FieldError): string {
  return `${field || "<nil>"}: ${body}`;
}

/** Several errors as one text: [a, b]. A text that repeats stands once. */
export function aggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? `${distinct[0]}` : `[${distinct.join(", ")}]`;
}

/** The error as a cause in a Status. */
export function causeOf({ type, field, body }: FieldError): StatusCause {
  return { reason: type, message: body, field };
}

function bare(type: FieldErrorType, field: string, detail: string): FieldError {
  return {
    type,
    field,
    body: detail ? `${words[type]}: ${detail}` : words[type],
  };
}

function withValue(
  type: FieldErrorType,
  field: string,
  value: unknown,
  detail: string,
): FieldError {
  const shown =
    typeof value === "string" ? quote(value) : goJson(value ?? null);
  const body = `${words[type]}: ${shown}`;
  return { type, field, body: detail ? `${body}: ${detail}` : body };
}
