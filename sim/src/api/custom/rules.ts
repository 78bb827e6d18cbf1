/**
 * Rules of a schema that are written as expressions.
 * Models:     apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go @ v1.36
 * Leaves out: the budget of all rules together; a single one has a limit.
 */
import { CelError, evaluateCel } from "../cel/cel.ts";
import { Optional } from "../cel/values.ts";
import {
  duplicate,
  type FieldError,
  fieldErrorText,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { list, str } from "../kinds/access.ts";
import type { Json, JsonObject } from "../types.ts";
import { childPath, childrenOf } from "./children.ts";
import type { Past } from "./past.ts";

export const RULES = "x-kubernetes-validations";

/** Errors; and those of parts that did not change, which only warn. */
export interface Judged {
  readonly errors: FieldError[];
  readonly warnings: string[];
}

export function judge(value: Json, schema: JsonObject, past?: Past): Judged {
  const judged: Judged = { errors: [], warnings: [] };
  visit(value, schema, "", past, judged);
  return judged;
}

function visit(
  value: Json,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
  judged: Judged,
): void {
  if (value === null || value === undefined) return;
  for (const rule of list(schema[RULES])) {
    const error = broken(rule, value, schema, path, past);
    if (!error) continue;
    const alone = !usesOld(rule);
    if (alone && past?.unchanged) judged.warnings.push(fieldErrorText(error));
    else judged.errors.push(error);
  }
  for (const { name, child, inner, keyed } of childrenOf(value, schema)) {
    const before =
      typeof name === "number"
        ? past?.item(name, schema)
        : past?.field(name, schema);
    visit(child, inner, childPath(path, name, keyed), before, judged);
  }
}

export function usesOld(rule: JsonObject): boolean {
  const text = str(rule.rule).replace(/"[^"]*"|'[^']*'/g, "");
  return /\boldSelf\b/.test(text);
}

/** How a rule is called where it fails. */
function nameOf({ rule, message }: JsonObject): string {
  return str(message).trim() || str(rule).trim();
}

function broken(
  rule: JsonObject,
  value: Json,
  schema: JsonObject,
  path: string,
  past: Past | undefined,
): FieldError | undefined {
  const optional = rule.optionalOldSelf === true;
  const old = past?.related ? past.value : undefined;
  // A rule about a change has nothing to say of what is new.
  if (usesOld(rule) && old === undefined && !optional) return undefined;
  const before = optional ? new Optional(old !== undefined, old) : old;
  const names = {
    self: value,
    ...(before === undefined ? {} : { oldSelf: before }),
  };
  const type = str(schema.type);
  const at = path || "<nil>";
  try {
    if (evaluateCel(str(rule.rule), names) === true) return undefined;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return invalid(at, type, failed(rule, error.message));
  }
  const inner = str(rule.fieldPath).replace(/^\./, "").replaceAll("'", "");
  const where = inner ? childPath(path, inner, false) : at;
  const message =
    worked(str(rule.messageExpression), names) ||
    str(rule.message).trim() ||
    `failed rule: ${nameOf(rule)}`;
  return forReason(str(rule.reason), where, type, message);
}

function failed(rule: JsonObject, why: string): string {
  if (why.startsWith("no such overload")) {
    const text =
      "call arguments did not match a supported operator, function or macro " +
      "signature for rule";
    return `'${why}': ${text}: ${nameOf(rule)}`;
  }
  if (why.startsWith("operation cancelled")) {
    const text =
      "no further validation rules will be run due to call cost exceeds limit " +
      "for rule";
    return `'${why}': ${text}: ${nameOf(rule)}`;
  }
  return `${why} evaluating rule: ${nameOf(rule)}`;
}

const MESSAGE_BYTES_MAX = 5 * 1024;

/** What the message comes to; "" if that is no message. */
function worked(
  expression: string,
  names: { readonly [name: string]: unknown },
) {
  if (!expression) return "";
  try {
    const message = evaluateCel(expression, names);
    const text = typeof message === "string" ? message.trim() : "";
    return text.includes("\n") || text.length > MESSAGE_BYTES_MAX ? "" : text;
  } catch (error) {
    if (error instanceof CelError) return "";
    throw error;
  }
}

function forReason(
  reason: string,
  path: string,
  type: string,
  message: string,
): FieldError {
  if (reason === "FieldValueForbidden") return forbidden(path, message);
  if (reason === "FieldValueRequired") return required(path, message);
  if (reason === "FieldValueDuplicate") return duplicate(path, type);
  return invalid(path, type, message);
}
