/**
 * Whether an object is as its definition wants it: the schema, the objects
 * within it, lists without doubles, and then the rules in CEL.
 * Models: apiextensions-apiserver/pkg/registry/customresource/{strategy,
 *         validator}.go, apiserver/schema/objectmeta/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { list, obj, str } from "../kinds/access.ts";
import { dns1035Label } from "../names.ts";
import type { Json, JsonObject } from "../types.ts";
import { childPath, childrenOf } from "./children.ts";
import { listTypeErrors } from "./list-types.ts";
import { Past } from "./past.ts";
import { judge, RULES } from "./rules.ts";
import { valueErrors } from "./value-validation.ts";

/** Metadata is checked as that of any object. */
export function customErrors(
  object: JsonObject,
  schema: JsonObject,
  scale: JsonObject,
): FieldError[] {
  const errors = [
    ...valueErrors(withoutMeta(object), schema),
    ...scaleErrors(object, scale),
    ...embeddedErrors(object, schema, ""),
    ...listTypeErrors(object, schema),
  ];
  if (!hasRules(schema)) return errors;
  if (errors.some(({ type }) => BLOCKING.includes(type))) {
    return [...errors, UNCHECKED];
  }
  return [...errors, ...judge(object, schema).errors];
}

export function customChangeErrors(
  object: JsonObject,
  old: JsonObject,
  schema: JsonObject,
  scale: JsonObject,
): FieldError[] {
  const past = new Past(withoutMeta(old), withoutMeta(object));
  const errors = [
    ...(past.unchanged ? [] : valueErrors(withoutMeta(object), schema, past)),
    ...scaleErrors(object, scale),
    ...embeddedErrors(object, schema, ""),
  ];
  // What had doubles already may keep them.
  if (listTypeErrors(old, schema).length === 0) {
    errors.push(...listTypeErrors(object, schema));
  }
  if (!hasRules(schema)) return errors;
  if (errors.some(({ type }) => BLOCKING.includes(type))) {
    return [...errors, UNCHECKED];
  }
  return [...errors, ...judge(object, schema, new Past(old, object)).errors];
}

/** What makes rules meaningless: they trust in the types. */
const BLOCKING: readonly string[] = [
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
];

const UNCHECKED: FieldError = Object.freeze(
  invalid(
    "<nil>",
    "null",
    "some validation rules were not checked because the object was invalid; " +
      "correct the existing errors to complete validation",
  ),
);

function withoutMeta(object: JsonObject): JsonObject {
  return { ...object, metadata: {} };
}

function hasRules(schema: JsonObject): boolean {
  if (list(schema[RULES]).length > 0) return true;
  const { items, additionalProperties, properties } = schema;
  const inner = [
    items,
    additionalProperties,
    ...Object.values(obj(properties)),
  ];
  return inner.some((one) => one !== undefined && hasRules(obj(one)));
}

const COUNT_MAX = 2 ** 31 - 1;

/** Counts that a scale is read from. */
function scaleErrors(object: JsonObject, scale: JsonObject): FieldError[] {
  const paths = [scale.specReplicasPath, scale.statusReplicasPath];
  return paths
    .map(str)
    .filter(Boolean)
    .flatMap((path) => {
      let found: Json = object;
      for (const name of path.slice(1).split(".")) found = obj(found)[name];
      if (typeof found !== "number") return [];
      if (found < 0) {
        return [invalid(path, found, "should be a non-negative integer")];
      }
      const rule = `should be less than or equal to ${COUNT_MAX}`;
      return found > COUNT_MAX ? [invalid(path, found, rule)] : [];
    });
}

/** Whole objects within the object say of which kind they are. */
function embeddedErrors(
  value: Json,
  schema: JsonObject,
  path: string,
): FieldError[] {
  const whole =
    path !== "" && schema["x-kubernetes-embedded-resource"] === true;
  const errors = whole ? kindErrors(obj(value), path) : [];
  for (const { name, child, inner, keyed } of childrenOf(value, schema)) {
    errors.push(...embeddedErrors(child, inner, childPath(path, name, keyed)));
  }
  return errors;
}

function kindErrors(value: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["apiVersion", "kind"]) {
    const at = `${path}.${name}`;
    const text = value[name];
    if (text === undefined) errors.push(required(at, "must not be empty"));
    else if (typeof text !== "string") {
      errors.push(invalid(at, text, "must be a string"));
    } else if (!text) errors.push(invalid(at, text, "must not be empty"));
  }
  const version = str(value.apiVersion);
  if (version.split("/").length > 2) {
    const text = `unexpected GroupVersion string: ${version}`;
    errors.push(invalid(`${path}.apiVersion`, version, text));
  }
  const kind = str(value.kind);
  const wrong = kind ? dns1035Label(kind.toLowerCase()).join(",") : "";
  if (wrong) {
    const text = `may have mixed case, but should otherwise match: ${wrong}`;
    errors.push(invalid(`${path}.kind`, kind, text));
  }
  return errors;
}
