/**
 * Comparisons in a filter: `@.type=="Ready"`.
 * Models:     client-go/third_party/forked/golang/template/funcs.go @ v1.36
 */

export function compare(a: unknown, operator: string, b: unknown): boolean {
  switch (operator) {
    case "==":
      return equal(a, b);
    case "!=":
      return !equal(a, b);
    case "<":
      return less(a, b);
    case "<=":
      return less(a, b) || equal(a, b);
    case ">":
      return !(less(a, b) || equal(a, b));
    case ">=":
      return !less(a, b);
  }
  throw new RangeError(`unrecognized filter operator ${operator}`);
}

function equal(a: unknown, b: unknown): boolean {
  checkTypes(a, b);
  return a === b;
}

function less(a: unknown, b: unknown): boolean {
  const type = checkTypes(a, b);
  if (type === "bool") throw wrongType();
  return (a as string | number) < (b as string | number);
}

function checkTypes(a: unknown, b: unknown): string {
  const [x, y] = [typeOf(a), typeOf(b)];
  if (x === y) return x;
  throw new RangeError("incompatible types for comparison");
}

function typeOf(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "number") throw wrongType();
  return Number.isInteger(value) ? "int" : "float";
}

function wrongType(): RangeError {
  return new RangeError("invalid type for comparison");
}
