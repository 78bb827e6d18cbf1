/**
 * Quantities in expressions: `quantity("1Gi").isGreaterThan(…)`.
 * Models: apiserver/pkg/cel/library/quantity.go @ v1.36
 */
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
  value as valueOfQuantity,
} from "../quantity.ts";
import { CelError } from "./lexer.ts";
import { Host } from "./values.ts";

/** Throws CelError if the text is none. */
export function parsedQuantity(text: string): Quantity {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) throw new CelError(error.message);
    throw error;
  }
}

const quantities = new WeakMap<Host, Quantity>();

export function quantity(amount: Quantity): Host {
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
