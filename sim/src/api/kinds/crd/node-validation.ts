/**
 * What one schema may not say, apart from those within it.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../field-error.ts";
import type { JsonObject } from "../../types.ts";
import { obj, str } from "../access.ts";
import type { Strictness } from "./strictness.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];
/** Words of JSON Schema that the server does not know. */
const UNSUPPORTED = [
  ...["id", "additionalItems", "patternProperties", "definitions"],
  ...["dependencies", "$ref"],
];

interface Place {
  readonly allowed: boolean;
  readonly why: string;
  readonly inMeta?: boolean;
}

export function nodeErrors(
  schema: JsonObject,
  path: string,
  { allowed, why, inMeta }: Place,
  strict: Strictness,
): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (field: string, rule: string) =>
    errors.push(forbidden(`${path}.${field}`, rule));
  const type = str(schema.type);
  if (strict.types && type && !TYPES.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, TYPES));
  }
  const given = schema.default !== undefined && schema.default !== null;
  if (given && !allowed) forbid("default", `must not be set ${why}`.trim());
  for (const name of UNSUPPORTED) {
    const value = schema[name];
    const none =
      value === undefined ||
      value === "" ||
      (name.endsWith("s") &&
        name !== "dependencies" &&
        Object.keys(obj(value)).length === 0 &&
        typeof value === "object");
    if (!none) forbid(name, `${name} is not supported`);
  }
  if (type === "null") {
    forbid(
      "type",
      "type cannot be set to null, use nullable as an alternative",
    );
  }
  if (Array.isArray(schema.items)) {
    forbid("items", "items must be a schema object and not an array");
  }
  if (inMeta && schema["x-kubernetes-embedded-resource"] === true) {
    const rule = "must not be used inside of resource meta";
    forbid("x-kubernetes-embedded-resource", rule);
  }
  if (schema.uniqueItems === true) {
    const rule =
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    forbid("uniqueItems", rule);
  }
  const named = Object.keys(obj(schema.properties)).length > 0;
  const more = schema.additionalProperties;
  if (named && more !== undefined && more !== true) {
    const rule = "additionalProperties and properties are mutual exclusive";
    forbid("additionalProperties", rule);
  }
  return errors;
}

/** A word that holds for one type alone. */
export function needsType(
  schema: JsonObject,
  path: string,
  wanted: string,
  word: string,
): FieldError[] {
  const type = str(schema.type);
  if (schema[word] === undefined || type === wanted) return [];
  const rule = `must be ${wanted} if ${word} is specified`;
  return type
    ? [invalid(`${path}.type`, type, rule)]
    : [required(`${path}.type`, rule)];
}
