/**
 * JSONPath as kubectl knows it: fields, `[0]`, `[1:3]`, `[*]`, `..`, unions,
 * filters `[?(@.type=="Ready")]`, `{range …}{end}` and text between.
 * Models:     client-go/util/jsonpath, cli-runtime/pkg/printers/jsonpath.go,
 *             kubectl/pkg/cmd/get/customcolumn.go
 *             (RelaxedJSONPathExpression) @ v1.36
 */
import { goSortedJson, goSyntax, goValue, quote } from "../../api/go-text.ts";
import { CommandError } from "../environment.ts";
import { Evaluation, type Values } from "./jsonpath/evaluate.ts";
import { parseTemplate } from "./jsonpath/parse.ts";

export interface JsonPathOptions {
  /** What is found as JSON, each part of the template as a list. */
  readonly asJson?: boolean;
  /** False: a field that is not there is an error. */
  readonly allowMissing?: boolean;
}

/** What a template prints of data; throws at once if it is none. */
export function jsonPathPrinter(
  template: string,
  { asJson = false, allowMissing = true }: JsonPathOptions = {},
): (data: unknown) => string {
  const parts = parsed(
    template,
    (why) => `error parsing jsonpath ${template}, ${why}`,
  );
  return (data) => {
    try {
      const found = new Evaluation(parts, allowMissing).results(data);
      return found.map(asJson ? jsonText : plainText).join("");
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new CommandError(
        `error executing jsonpath ${quote(template)}: Error executing ` +
          `template: ${error.message}. Printing more information for ` +
          `debugging the template:\n\ttemplate was:\n\t\t${template}\n` +
          "\tobject given to jsonpath engine was:\n" +
          `\t\t${goSyntax(data)}\n\n`,
      );
    }
  };
}

function parsed(template: string, wording: (why: string) => string) {
  try {
    return parseTemplate(template);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(wording(error.message));
  }
}

/** Finds the values of a whole template, part by part. */
export function finderOf(template: string): (data: unknown) => Values[] {
  const parts = parsed(template, (why) => why);
  return (data) => {
    try {
      return new Evaluation(parts, true).results(data);
    } catch (error) {
      if (error instanceof RangeError) throw new CommandError(error.message);
      throw error;
    }
  };
}

/** `a.b`, `.a.b`, `{a.b}` and `{.a.b}` as `{.a.b}`. */
export function relaxed(expression: string): string {
  const [, braced, bare] =
    /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(expression) ?? [];
  const field = braced ?? bare;
  if (expression === "") return "";
  if (field !== undefined) return `{.${field}}`;
  throw new CommandError(
    "unexpected path string, expected a 'name1.name2' or '.name1.name2' or " +
      "'{name1.name2}' or '{.name1.name2}'",
  );
}

function plainText(values: Values): string {
  return values.map(textOf).join(" ");
}

function jsonText(values: Values): string {
  return `${goSortedJson(values, 4)}\n`;
}

/** A value as text: objects as JSON. */
export function textOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? goSortedJson(value) : goValue(value);
}
