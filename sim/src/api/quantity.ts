/**
 * Quantities: amounts of CPU, memory, storage, with a unit in the text.
 * Models:     apimachinery/pkg/api/resource @ v1.36
 */
export * from "./quantity/arithmetic.ts";
export * from "./quantity/fast.ts";
export { formatQuantity } from "./quantity/format.ts";
export type { Format, Quantity } from "./quantity/parse.ts";
export { parseQuantity, QuantityError, zero } from "./quantity/parse.ts";

import { compareQuantities } from "./quantity/arithmetic.ts";
import { formatQuantity } from "./quantity/format.ts";
import { parseQuantity } from "./quantity/parse.ts";

/** The text that the API server gives back for `text`. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text.trim()));
}

/** True if `a` is more than `b`. */
export function isMore(a: string, b: string): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
}
