/**
 * Functions of Go templates, and how their values are printed.
 * Models:     text/template/funcs.go of Go 1.26,
 *             cli-runtime/pkg/printers/template.go (exists, base64decode)
 */
import { fromBase64 } from "../../api/base64.ts";
import { goValue, quote } from "../../api/go-text.ts";
import { CommandError } from "../environment.ts";

type Values = readonly unknown[];

export function callFunction(name: string, args: Values): unknown {
  const own = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (own) return own(args);
  throw new SyntaxError(`function "${name}" not defined`);
}

/** A value as `{{…}}` prints it. */
export function printed(value: unknown): string {
  return value === undefined ? "<no value>" : goValue(value);
}

/** Not empty: what `if` asks. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null)
    return Object.keys(value).length > 0;
  return Boolean(value);
}

const FUNCTIONS: { readonly [name: string]: (args: Values) => unknown } = {
  and: (args) => args.find((one) => !isTrue(one)) ?? args.at(-1),
  or: (args) => args.find(isTrue) ?? args.at(-1),
  not: ([value]) => !isTrue(value),
  len: ([value]) => lengthOf(value),
  index: ([value, ...path]) => path.reduce(itemOf, value),
  exists: ([value, ...path]) => path.reduce(itemOf, value) !== undefined,
  slice: ([value, from = 0, to]) =>
    (value as string).slice(from as number, to as number | undefined),
  eq: ([first, ...others]) => others.some((one) => one === first),
  ne: ([a, b]) => a !== b,
  lt: ([a, b]) => compare(a, b) < 0,
  le: ([a, b]) => compare(a, b) <= 0,
  gt: ([a, b]) => compare(a, b) > 0,
  ge: ([a, b]) => compare(a, b) >= 0,
  print: (args) => args.map(printed).join(" "),
  println: (args) => `${args.map(printed).join(" ")}\n`,
  printf: ([format, ...args]) => formatted(String(format), args),
  html: (args) =>
    args
      .map(printed)
      .join("")
      .replace(/[<>&'"]/g, entity),
  urlquery: (args) => encodeURIComponent(args.map(printed).join("")),
  base64decode: ([text]) => decoded(text),
};

function decoded(text: unknown): string {
  if (typeof text !== "string")
    throw new CommandError(
      "wrong type for value; expected string; got interface {}",
    );
  return new TextDecoder().decode(fromBase64(text));
}

function entity(sign: string): string {
  if (sign === "&") return "&amp;";
  if (sign === "<") return "&lt;";
  return sign === ">" ? "&gt;" : `&#${sign.charCodeAt(0)};`;
}

function lengthOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null)
    return Object.keys(value).length;
  throw new CommandError(`error calling len: len of nil pointer`);
}

function itemOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    if (Number(key) in value) return value[Number(key)];
    throw new CommandError(
      `error calling index: index out of range: ${String(key)}`,
    );
  }
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { [name: string]: unknown })[String(key)];
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [String(a), String(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** `%-10s`, `%05d`, `%.2f`, `%q`, `%v`. */
function formatted(format: string, args: Values): string {
  let next = 0;
  return format.replace(
    /%([-+0 #]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g,
    (_, flags: string, width: string, precision: string, verb: string) => {
      if (verb === "%") return "%";
      const text = one(verb, args[next++], precision);
      const size = Number(width);
      if (flags.includes("-")) return text.padEnd(size);
      return text.padStart(size, flags.includes("0") ? "0" : " ");
    },
  );
}

function one(verb: string, value: unknown, precision = ""): string {
  if (value === undefined) return `%!${verb}(<nil>)`;
  if (verb === "q") return quote(String(value));
  if (verb === "f") return Number(value).toFixed(Number(precision || 6));
  if (verb === "x") return Number(value).toString(16);
  if (verb === "d" && typeof value === "string") return `%!d(string=${value})`;
  if (verb === "s" && typeof value === "number") return `%!s(int64=${value})`;
  return goValue(value);
}
