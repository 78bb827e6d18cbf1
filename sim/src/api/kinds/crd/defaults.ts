/**
 * Defaults must fit the schema that they stand in, and name nothing unknown.
 * Models: apiextensions-apiserver/pkg/apiserver/schema/defaulting/validation.go @ v1.36
 */
import { pruned } from "../../custom/structural.ts";
import { valueErrors } from "../../custom/value-validation.ts";
import { type FieldError, invalid } from "../../field-error.ts";
import type { JsonObject } from "../../types.ts";
import { obj } from "../access.ts";

export function defaultErrors(
  schema: JsonObject,
  path: string,
  prunes: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const { default: given, items } = schema;
  if (given !== undefined && given !== null) {
    const at = `${path}.default`;
    const unknown: string[] = [];
    pruned(given, schema, "default", unknown);
    if (prunes && unknown.length > 0) {
      errors.push(invalid(at, given, "must not have unknown fields"));
    }
    errors.push(...valueErrors(given, schema, undefined, at));
  }
  if (items) errors.push(...defaultErrors(obj(items), `${path}.items`, prunes));
  for (const [name, child] of Object.entries(obj(schema.properties))) {
    const at = `${path}.properties[${name}]`;
    errors.push(...defaultErrors(obj(child), at, prunes));
  }
  return errors;
}
