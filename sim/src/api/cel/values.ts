/**
 * Values of CEL: null, boolean, bigint (int), number (double), string, list,
 * map, and a few objects with methods of their own.
 * Models: cel-spec doc/langdef.md (Values)
 */
import { CelError } from "./lexer.ts";

export type MapValue = { readonly [key: string]: unknown };

/** A value that may be missing: `object.?spec`. */
export class Optional {
  readonly value: unknown;
  readonly has: boolean;

  constructor(has: boolean, value?: unknown) {
    this.has = has;
    this.value = value;
  }
}

export const NONE = new Optional(false);

/** An object with methods: a quantity, the authorizer. */
export class Host {
  readonly type: string;
  readonly methods: {
    readonly [name: string]: (...args: unknown[]) => unknown;
  };

  constructor(type: string, methods: Host["methods"]) {
    this.type = type;
    this.methods = methods;
  }
}

/** A JSON value as CEL sees it: whole numbers are ints. */
export function fromJson(value: unknown): unknown {
  if (typeof value === "number" && Number.isInteger(value))
    return BigInt(value);
  return value === undefined ? null : value;
}

/** What can be put into an object again. */
export function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(toJson);
  if (!isMap(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (child instanceof Optional) {
      if (child.has) out[key] = toJson(child.value);
    } else out[key] = toJson(fromJson(child));
  }
  return out;
}

export function isMap(value: unknown): value is MapValue {
  if (typeof value !== "object" || value === null) return false;
  return (
    !Array.isArray(value) &&
    !(value instanceof Host) &&
    !(value instanceof Optional)
  );
}

export function typeName(value: unknown): string {
  if (value === null) return "null_type";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "double";
  if (typeof value === "string") return "string";
  if (Array.isArray(value)) return "list";
  return value instanceof Host ? value.type : "map";
}

export function equal(a: unknown, b: unknown): boolean {
  const [x, y] = [fromJson(a), fromJson(b)];
  if (x === y) return true;
  if (isNumber(x) && isNumber(y)) return Number(x) === Number(y);
  if (Array.isArray(x) && Array.isArray(y)) {
    return x.length === y.length && x.every((item, i) => equal(item, y[i]));
  }
  if (!isMap(x) || !isMap(y)) return false;
  const keys = Object.keys(x);
  if (keys.length !== Object.keys(y).length) return false;
  return keys.every((key) => key in y && equal(x[key], y[key]));
}

function isNumber(value: unknown): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

/** Less than 0, 0, or more than 0. Throws if the two have no order. */
export function compare(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "string" && typeof b === "string") {
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof a === "boolean" && typeof b === "boolean") return +a - +b;
  throw new CelError("no such overload");
}
