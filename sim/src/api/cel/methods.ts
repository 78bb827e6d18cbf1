/**
 * Functions of CEL that are called on a value: on a text, a list, an optional.
 * Models: cel-go ext/{strings,lists}.go, apiserver/pkg/cel/library @ v1.36
 */
import { plus, regex, size } from "./functions.ts";
import { CelError } from "./lexer.ts";
import { compare, equal, fromJson, Host, NONE, Optional } from "./values.ts";

type Call = (...args: never[]) => unknown;

/** Functions called on a text. */
const OF_TEXT: { readonly [name: string]: Call } = {
  contains: (text: string, part: string) => text.includes(part),
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  matches: (text: string, pattern: string) => regex(pattern).test(text),
  find: (text: string, pattern: string) => regex(pattern).exec(text)?.[0] ?? "",
  lowerAscii: (text: string) => text.toLowerCase(),
  upperAscii: (text: string) => text.toUpperCase(),
  trim: (text: string) => text.trim(),
  replace: (text: string, from: string, to: string) =>
    text.replaceAll(from, to),
  split: (text: string, by: string) => text.split(by),
  substring: (text: string, from: bigint, to?: bigint) =>
    text.slice(Number(from), to === undefined ? undefined : Number(to)),
  charAt: (text: string, at: bigint) => text.charAt(Number(at)),
  indexOf: (text: string, part: string) => BigInt(text.indexOf(part)),
  lastIndexOf: (text: string, part: string) => BigInt(text.lastIndexOf(part)),
};

const OF_LIST: { readonly [name: string]: Call } = {
  join: (list: unknown[], by = "") => list.join(by),
  sum: (list: unknown[]) => list.map(fromJson).reduce((a, b) => plus(a, b), 0n),
  min: (list: unknown[]) =>
    list.map(fromJson).reduce((a, b) => (compare(a, b) <= 0 ? a : b)),
  max: (list: unknown[]) =>
    list.map(fromJson).reduce((a, b) => (compare(a, b) >= 0 ? a : b)),
  isSorted: (list: unknown[]) =>
    list.every(
      (one, i) => i === 0 || compare(fromJson(list[i - 1]), fromJson(one)) <= 0,
    ),
  indexOf: (list: unknown[], item: unknown) =>
    BigInt(list.findIndex((one) => equal(one, item))),
  lastIndexOf: (list: unknown[], item: unknown) =>
    BigInt(list.findLastIndex((one) => equal(one, item))),
};

const OF_OPTIONAL: { readonly [name: string]: Call } = {
  hasValue: ({ has }: Optional) => has,
  value: ({ has, value }: Optional) => {
    if (!has) throw new CelError("optional.none() dereference");
    return value;
  },
  orValue: ({ has, value }: Optional, other: unknown) => (has ? value : other),
  or: (one: Optional, other: unknown) => (one.has ? one : other),
};

/** `optional.of(x)` and its like. */
export const OPTIONALS: { readonly [name: string]: Call } = {
  of: (value: unknown) => new Optional(true, value),
  none: () => NONE,
  ofNonZeroValue: (value: unknown) =>
    value === "" || value === 0n || value === null || value === false
      ? NONE
      : new Optional(true, value),
};

/** The function `name` of a receiver; undefined if it has none. */
export function methodOf(target: unknown, name: string): Call | undefined {
  if (name === "size") return size;
  if (typeof target === "string") return OF_TEXT[name];
  if (Array.isArray(target)) return OF_LIST[name];
  if (target instanceof Optional) return OF_OPTIONAL[name];
  if (!(target instanceof Host)) return undefined;
  const method = target.methods[name];
  return method && ((_target: unknown, ...args: unknown[]) => method(...args));
}
