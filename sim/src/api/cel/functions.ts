/**
 * The functions of CEL and of its Kubernetes libraries.
 * Models:     cel-spec standard library; apiserver/pkg/cel/library @ v1.36
 * Leaves out: timestamps, IP addresses, formats.
 */
import { parseQuantity } from "../quantity.ts";
import { CelError } from "./lexer.ts";
import { parsedQuantity, quantity } from "./quantity.ts";
import { compare, equal, isMap, typeName } from "./values.ts";

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

export function plus(a: unknown, b: unknown): unknown {
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

export function size(value: unknown): bigint {
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
export function regex(pattern: string): RegExp {
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
