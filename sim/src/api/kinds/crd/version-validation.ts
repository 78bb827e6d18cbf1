/**
 * What versions of a definition have besides their schema: endpoints of their
 * own, columns, fields that one may select by.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from "../../field-error.ts";
import type { JsonObject } from "../../types.ts";
import { list, obj, str } from "../access.ts";
import { fieldAt } from "./rule-validation.ts";

export function warningErrors(version: JsonObject, path: string) {
  const { deprecated, deprecationWarning } = version;
  const at = `${path}.deprecationWarning`;
  if (deprecationWarning === undefined) return [];
  const text = str(deprecationWarning);
  const wrong = (why: string) => invalid(at, text, why);
  if (!deprecated) return [wrong("can only be set for deprecated versions")];
  const errors: FieldError[] = [];
  if (text.length > 256) errors.push(wrong("must be <= 256 characters long"));
  if (text === "") errors.push(wrong("must not be an empty string"));
  const odd = text.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (odd >= 0) {
    const why = `must only contain printable UTF-8 characters; non-printable character found at index ${odd}`;
    errors.push(wrong(why));
  }
  return errors;
}

export function subresourceErrors(
  subresources: JsonObject,
  path: string,
): FieldError[] {
  const { scale } = subresources;
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } =
    obj(scale);
  const under = (field: string, value: unknown, where: string) => {
    const at = `${path}.scale.${field}`;
    const text = str(value);
    if (!text) return [required(at)];
    const simple = simplePathErrors(text, at);
    if (simple.length > 0 || text.startsWith(`${where}.`)) return simple;
    return [invalid(at, text, `should be a json path under ${where}`)];
  };
  const errors = [
    ...under("specReplicasPath", specReplicasPath, ".spec"),
    ...under("statusReplicasPath", statusReplicasPath, ".status"),
  ];
  const selector = str(labelSelectorPath);
  if (!selector) return errors;
  const at = `${path}.scale.labelSelectorPath`;
  const simple = simplePathErrors(selector, at);
  if (simple.length > 0) return [...errors, ...simple];
  if (/^\.(spec|status)\./.test(selector)) return errors;
  const rule = "should be a json path under either .spec or .status";
  return [...errors, invalid(at, selector, rule)];
}

function simplePathErrors(text: string, path: string): FieldError[] {
  if (text.startsWith(".")) return [];
  return [invalid(path, text, "must be a simple json path starting with .")];
}

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = [
  ...["byte", "date", "date-time", "double"],
  ...["float", "int32", "int64", "password"],
];

export function columnErrors(column: JsonObject, path: string): FieldError[] {
  const { name, type, format, jsonPath } = column;
  const errors: FieldError[] = name ? [] : [required(`${path}.name`)];
  const oneOf = (known: readonly string[]) =>
    `must be one of ${known.join(",")}`;
  if (!type) errors.push(required(`${path}.type`, oneOf(COLUMN_TYPES)));
  else if (!COLUMN_TYPES.includes(str(type))) {
    errors.push(invalid(`${path}.type`, type, oneOf(COLUMN_TYPES)));
  }
  if (format && !COLUMN_FORMATS.includes(str(format))) {
    errors.push(invalid(`${path}.format`, format, oneOf(COLUMN_FORMATS)));
  }
  const at = `${path}.JSONPath`;
  if (!jsonPath) return [...errors, required(at)];
  return [...errors, ...simplePathErrors(str(jsonPath), at)];
}

const SELECTABLE_MAX = 8;

export function selectableErrors(
  fields: readonly JsonObject[],
  schema: JsonObject,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, i): FieldError[] => {
    const at = `${path}[${i}].jsonPath`;
    const text = str(jsonPath);
    if (!text) return [required(at)];
    const found = fieldAt(schema, text, false);
    if (typeof found === "string") {
      return [invalid(at, text, `is an invalid path: ${found}`)];
    }
    const wrong: FieldError[] = [];
    if (/^\.metadata(\.|$)/.test(text)) {
      const rule = "must not point to fields in metadata";
      wrong.push(invalid(at, text, rule));
    }
    if (!/^(string|boolean|integer)$/.test(str(found.type))) {
      const rule =
        "must point to a field of type string, boolean or integer. Enum string " +
        "fields and strings with formats are allowed.";
      wrong.push(invalid(at, text, rule));
    }
    if (seen.has(text)) wrong.push(duplicate(at, text));
    seen.add(text);
    return wrong;
  });
  return seen.size > SELECTABLE_MAX
    ? [...errors, tooMany(path, seen.size, SELECTABLE_MAX)]
    : errors;
}

export function columnsErrors(columns: unknown, path: string): FieldError[] {
  return list(columns).flatMap((column, i) =>
    columnErrors(column, `${path}[${i}]`),
  );
}
