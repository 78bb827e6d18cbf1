/**
 * Whether the rules of a schema can be worked out at all.
 * Models:     apiextensions-apiserver/pkg/apis/apiextensions/validation/
 *             validation.go, apiserver/schema/cel/compilation.go @ v1.36
 * Leaves out: estimates of what a rule costs.
 */
import { checkCel } from "../../cel/check.ts";
import { type CelType, isUnknown, UNKNOWN } from "../../cel/types.ts";
import { usesOld } from "../../custom/rules.ts";
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../../field-error.ts";
import type { Json, JsonObject } from "../../types.ts";
import { list, obj, str } from "../access.ts";
import { celTypeOf } from "./rule-types.ts";

const RULES = "x-kubernetes-validations";
const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** What is wrong with how rules are written down. */
export function ruleFormErrors(schema: JsonObject, path: string): FieldError[] {
  return list(schema[RULES]).flatMap((rule, i) => {
    const at = `${path}.${RULES}[${i}]`;
    const { messageExpression, reason, fieldPath } = rule;
    const errors = messageErrors(rule, at);
    if (messageExpression && !str(messageExpression).trim()) {
      const text = "messageExpression must be non-empty if specified";
      errors.push(required(`${at}.messageExpression`, text));
    }
    if (reason !== undefined && !REASONS.includes(str(reason))) {
      errors.push(notSupported(`${at}.reason`, reason, REASONS));
    }
    const wrong = (text: string) =>
      errors.push(invalid(`${at}.fieldPath`, fieldPath, `fieldPath ${text}`));
    if (fieldPath && !str(fieldPath).trim()) {
      wrong("must be non-empty if specified");
    }
    if (/[\n\r]/.test(str(fieldPath))) wrong("must not contain line breaks");
    if (fieldPath && typeof fieldAt(schema, str(fieldPath)) === "string") {
      wrong("must be a valid path");
    }
    return errors;
  });
}

function messageErrors({ rule, message }: JsonObject, at: string) {
  const text = str(message).trim();
  if (!str(rule).trim()) {
    return [required(`${at}.rule`, "rule is not specified")];
  }
  if (message && !text) {
    const why = "message must be non-empty if specified";
    return [invalid(`${at}.message`, message, why)];
  }
  if (/[\n\r]/.test(text)) {
    const why = "message must not contain line breaks";
    return [invalid(`${at}.message`, message, why)];
  }
  const needed = /[\n\r]/.test(str(rule).trim()) && !text;
  const why = "message must be specified if rule contains line breaks";
  return needed ? [required(`${at}.message`, why)] : [];
}

/** The schema that a path leads to, or why it leads nowhere. */
export function fieldAt(
  schema: JsonObject,
  path: string,
  brackets = true,
): JsonObject | string {
  let at: JsonObject = schema;
  let rest = path;
  while (rest) {
    const [whole = "", dotted, quoted] =
      /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest) ?? [];
    if (rest.startsWith("[") && !brackets) {
      return "array notation is not allowed";
    }
    if (!whole) {
      if (rest === "." || rest === "[") return "unexpected end of JSON path";
      const token = /^[^.[\]]*/.exec(rest)![0];
      return rest.startsWith("[")
        ? `expected single quoted string but got ${rest.slice(1).split(/[.[\]]/)[0]}`
        : `expected [ or . but got: ${token}`;
    }
    const { properties, additionalProperties: more } = at;
    const next: Json = properties
      ? obj(properties)[dotted ?? quoted ?? ""]
      : typeof more === "object"
        ? more
        : undefined;
    if (next === undefined) return "does not refer to a valid field";
    at = obj(next);
    rest = rest.slice(whole.length);
  }
  return at;
}

/** What the compiler says; `fixed` is where old items cannot be found again. */
export function ruleErrors(
  schema: JsonObject,
  path: string,
  root: boolean,
  fixed: string,
): FieldError[] {
  const self = celTypeOf(schema, root || undefined) ?? UNKNOWN;
  return list(schema[RULES]).flatMap((rule, i) => {
    const at = `${path}.${RULES}[${i}]`;
    const errors = compiled(rule, self, at);
    const { optionalOldSelf } = rule;
    if (!usesOld(rule)) {
      if (optionalOldSelf === undefined) return errors;
      const why = "may not be set if oldSelf is not used in rule";
      return [
        ...errors,
        invalid(`${at}.optionalOldSelf`, optionalOldSelf, why),
      ];
    }
    if (!fixed) return errors;
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${fixed}`;
    return [...errors, invalid(`${at}.rule`, rule.rule, why)];
  });
}

function compiled(rule: JsonObject, self: CelType, at: string): FieldError[] {
  const oldSelf = rule.optionalOldSelf === true ? UNKNOWN : self;
  const scope = { self, oldSelf };
  const shown = printed(rule);
  const tested = checkCel(str(rule.rule), scope);
  const errors: FieldError[] = [];
  const isBool = tested.type.kind === "bool" || isUnknown(tested.type);
  const why = tested.errors
    ? `compilation failed: ${tested.errors}`
    : isBool
      ? ""
      : "cel expression must evaluate to a bool";
  if (why) errors.push(invalid(`${at}.rule`, shown, why));
  const text = str(rule.messageExpression);
  if (!text) return errors;
  const told = checkCel(text, scope);
  const isText = told.type.kind === "string" || isUnknown(told.type);
  const problem = told.errors
    ? `messageExpression compilation failed: ${told.errors}`
    : isText
      ? ""
      : "messageExpression must evaluate to a string";
  if (problem) errors.push(invalid(`${at}.messageExpression`, shown, problem));
  return errors;
}

/** The rule as the server's own struct is printed. */
function printed(rule: JsonObject): Json {
  return {
    Rule: str(rule.rule),
    Message: str(rule.message),
    MessageExpression: str(rule.messageExpression),
    Reason: rule.reason ?? null,
    FieldPath: str(rule.fieldPath),
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
