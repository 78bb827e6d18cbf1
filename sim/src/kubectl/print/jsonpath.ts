/**
 * JSONPath as kubectl knows it: fields, `[0]`, `[1:3]`, `[*]`, `..`, unions,
 * filters `[?(@.type=="Ready")]`, `{range …}{end}` and text between.
 * Models:     client-go/util/jsonpath @ v1.36
 * Leaves out: filters with regular expressions; upstream has none either.
 */
import { goSortedJson, goSyntax, quote } from "../../api/go-text.ts";
import { CommandError } from "../environment.ts";

/** One step of a path: from one value to those that it leads to. */
type Step = (value: unknown) => readonly unknown[];

/** What a template prints of `data`. */
export function jsonPath(template: string, data: unknown): string {
  const parts = template.match(/\{[^{}]*\}|[^{}]+/g) ?? [];
  if (template.lastIndexOf("{") > template.lastIndexOf("}"))
    throw new CommandError(
      `error parsing jsonpath ${template}, unclosed action`,
    );
  const cursor = { parts, at: 0 };
  try {
    return render(cursor, data, template);
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
}

interface Cursor {
  readonly parts: readonly string[];
  at: number;
}

function render(cursor: Cursor, data: unknown, template: string): string {
  let out = "";
  while (cursor.at < cursor.parts.length) {
    const part = cursor.parts[cursor.at++]!;
    if (!part.startsWith("{")) {
      out += part;
      continue;
    }
    const inner = part.slice(1, -1).trim();
    if (inner === "end") return out;
    if (inner.startsWith("range ")) out += range(cursor, inner, data, template);
    else if (/^["']/.test(inner)) out += unquote(inner);
    else out += findAll(inner, data).map(textOf).join(" ");
  }
  return out;
}

function range(
  cursor: Cursor,
  inner: string,
  data: unknown,
  template: string,
): string {
  const start = cursor.at;
  let out = "";
  const items = findAll(inner.slice("range ".length).trim(), data);
  for (const item of items) {
    cursor.at = start;
    out += render(cursor, item, template);
  }
  if (items.length === 0) render(cursor, undefined, template);
  return out;
}

/** Values that a path finds; `loose` where a field may be missing. */
export function findAll(
  path: string,
  data: unknown,
  loose = true,
): readonly unknown[] {
  let values: readonly unknown[] = [data];
  for (const step of parsePath(path)) {
    values = values.flatMap((value) => step(value));
  }
  if (values.length === 0 && !loose) {
    throw new CommandError(`${path} is not found`);
  }
  return values;
}

const TOKEN =
  /^(?:\.\.(?<deep>[\w-]+|\*)|\[\?\((?<filter>.*?)\)\]|\[(?<index>[^\]]*)\]|\.?(?<field>(?:\\.|[^.[\]\\])+)|(?<dot>\.))/;

function parsePath(path: string): Step[] {
  let rest = path.replace(/^[$@]/, "");
  const steps: Step[] = [];
  while (rest !== "") {
    const match = TOKEN.exec(rest);
    if (!match) throw new CommandError(`error parsing jsonpath ${path}`);
    const { deep, filter, index, field } = match.groups ?? {};
    rest = rest.slice(match[0].length);
    if (deep !== undefined) steps.push((value) => descend(value, deep));
    else if (filter !== undefined) steps.push(filterStep(filter));
    else if (index !== undefined) steps.push(indexStep(index));
    else if (field !== undefined)
      steps.push(fieldStep(field.replace(/\\(.)/g, "$1")));
  }
  return steps;
}

function fieldStep(name: string): Step {
  return (value) => {
    if (name === "*") return children(value);
    if (typeof value !== "object" || value === null) return [];
    const found = (value as { [key: string]: unknown })[name];
    return found === undefined ? [] : [found];
  };
}

function children(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}

/** The field at any depth. */
function descend(value: unknown, name: string): readonly unknown[] {
  const here = fieldStep(name)(value);
  return [...here, ...children(value).flatMap((one) => descend(one, name))];
}

function indexStep(text: string): Step {
  if (text === "*") return children;
  const parts = text.split(",").map((part) => part.trim());
  if (parts.some((part) => /^["']/.test(part))) {
    const steps = parts.map((part) => fieldStep(unquote(part)));
    return (value) => steps.flatMap((step) => step(value));
  }
  return (value) => {
    if (!Array.isArray(value)) return [];
    return parts.flatMap((part) => slice(value, part));
  };
}

function slice(items: readonly unknown[], text: string): readonly unknown[] {
  const [from, to, step] = text.split(":");
  const at = Number(from || 0);
  const first = at < 0 ? at + items.length : at;
  if (to === undefined) {
    if (first in items) return [items[first]];
    throw new RangeError(
      `array index out of bounds: index ${at}, length ${items.length}`,
    );
  }
  const every = Number(step || 1);
  const cut = items.slice(first, to === "" ? undefined : Number(to));
  return cut.filter((_, i) => i % every === 0);
}

function filterStep(text: string): Step {
  const [, left = "", sign, right = ""] =
    /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/.exec(text) ?? [];
  return (value) =>
    children(value).filter((item) => {
      if (!sign) return operand(text, item) !== undefined;
      return holds(operand(left, item), sign, operand(right, item));
    });
}

function operand(text: string, item: unknown): unknown {
  const word = text.trim();
  if (word.startsWith("@")) return findAll(word, item)[0];
  if (/^["']/.test(word)) return unquote(word);
  if (word === "true" || word === "false") return word === "true";
  return Number(word);
}

function holds(a: unknown, sign: string, b: unknown): boolean {
  if (sign === "==") return a === b;
  if (sign === "!=") return a !== b;
  if (a === undefined || b === undefined) return false;
  const [x, y] = [a as number, b as number];
  if (sign === "<") return x < y;
  if (sign === ">") return x > y;
  return sign === "<=" ? x <= y : x >= y;
}

function unquote(text: string): string {
  const inner = text.slice(1, -1);
  const known: { [letter: string]: string } = { n: "\n", t: "\t" };
  return inner.replace(
    /\\(.)/g,
    (_, letter: string) => known[letter] ?? letter,
  );
}

/** A value as text: objects as JSON, null as nothing. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? goSortedJson(value) : String(value);
}
