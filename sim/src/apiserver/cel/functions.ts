/**
 * The functions of CEL and of its Kubernetes libraries.
 * Models:     cel-spec standard library; apiserver/pkg/cel/library @ v1.36
 * Leaves out: timestamps, IP addresses, formats.
 */
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
  value as valueOfQuantity,
} from "../../api/quantity.ts";
import { CelError } from "./lexer.ts";
import {
  compare,
  equal,
  fromJson,
  Host,
  isMap,
  NONE,
  Optional,
  typeName,
} from "./values.ts";

type Call = (...args: never[]) => unknown;

const INT_MAX = 2n ** 63n;

function int(value: bigint): bigint {
  if (value >= INT_MAX || value < -INT_MAX)
    throw new CelError("integer overflow");
  return value;
}

function arithmetic(
  onInts: (a: bigint, b: bigint) => bigint,
  onDoubles: (a: number, b: number) => number,
) {
  return (a: unknown, b: unknown): unknown => {
    if (typeof a === "bigint" && typeof b === "bigint")
      return int(onInts(a, b));
    if (typeof a === "number" && typeof b === "number") return onDoubles(a, b);
    throw new CelError("no such overload");
  };
}

function plus(a: unknown, b: unknown): unknown {
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  return arithmetic(
    (x, y) => x + y,
    (x, y) => x + y,
  )(a, b);
}

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CelError("division by zero");
  return a / b;
}

function modulo(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new CelError("modulus by zero");
  return a % b;
}

function size(value: unknown): bigint {
  if (typeof value === "string") return BigInt([...value].length);
  if (Array.isArray(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(Object.keys(value).length);
  throw new CelError("no such overload");
}

function contains(item: unknown, all: unknown): boolean {
  if (Array.isArray(all)) return all.some((one) => equal(one, item));
  if (isMap(all)) return Object.hasOwn(all, String(item));
  throw new CelError("no such overload");
}

/** Go's and JavaScript's regular expressions agree in what is used here. */
function regex(pattern: string): RegExp {
  try {
    return new RegExp(pattern.replace(/\(\?P</g, "(?<"), "u");
  } catch {
    throw new CelError(`invalid regular expression ${pattern}`);
  }
}

function toInt(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return int(BigInt(Math.trunc(value)));
  if (typeof value === "string" && /^-?\d+$/.test(value))
    return int(BigInt(value));
  throw new CelError("type conversion error");
}

/** Operators and functions without a receiver. */
export const FUNCTIONS: { readonly [name: string]: Call } = {
  "==": (a: unknown, b: unknown) => equal(a, b),
  "!=": (a: unknown, b: unknown) => !equal(a, b),
  "<": (a: unknown, b: unknown) => compare(a, b) < 0,
  "<=": (a: unknown, b: unknown) => compare(a, b) <= 0,
  ">": (a: unknown, b: unknown) => compare(a, b) > 0,
  ">=": (a: unknown, b: unknown) => compare(a, b) >= 0,
  "+": plus,
  "-": arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  "*": arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  "/": arithmetic(divide, (a, b) => a / b),
  "%": arithmetic(modulo, (a, b) => a % b),
  in: contains,
  "!": (a: unknown) => {
    if (typeof a !== "boolean") throw new CelError("no such overload");
    return !a;
  },
  negate: (a: unknown) => {
    if (typeof a === "bigint") return -a;
    if (typeof a === "number") return -a;
    throw new CelError("no such overload");
  },
  size,
  int: toInt,
  uint: toInt,
  double: (value: unknown) => Number(value),
  string: (value: unknown) => String(value),
  bool: (value: unknown) => value === true || value === "true",
  type: typeName,
  dyn: (value: unknown) => value,
  matches: (text: string, pattern: string) => regex(pattern).test(text),
  quantity: (text: string) => quantity(parsedQuantity(text)),
  isQuantity: (text: string) => {
    try {
      parseQuantity(text);
      return true;
    } catch {
      return false;
    }
  },
};

function parsedQuantity(text: string): Quantity {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new CelError(error.message);
    throw error;
  }
}

const quantities = new WeakMap<Host, Quantity>();

function quantity(amount: Quantity): Host {
  const other = (host: unknown) => quantities.get(host as Host)!;
  const order = (host: unknown) => compareQuantities(amount, other(host));
  const host = new Host("quantity", {
    isGreaterThan: (host) => order(host) > 0,
    isLessThan: (host) => order(host) < 0,
    compareTo: (host) => BigInt(order(host)),
    add: (host) => quantity(addQuantities(amount, other(host))),
    sub: (host) => quantity(subtractQuantities(amount, other(host))),
    asInteger: () => valueOfQuantity(amount),
    isInteger: () => true,
    sign: () => BigInt(compareQuantities(amount, parseQuantity("0"))),
  });
  quantities.set(host, amount);
  return host;
}

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
