/** Replays quantity.json: parsing, canonical form, values, arithmetic. */
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  milliValue,
  parseQuantity,
  subtractQuantities,
  value,
} from "../../sim/src/api/quantity.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface ParseCase {
  in: string;
  canonical?: string;
  value?: string;
  milliValue?: string;
  error?: string;
  outOfRangeQuirk?: boolean;
}

interface ArithmeticCase {
  a: string;
  b: string;
  cmp: number;
  sum: string;
  difference: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<ParseCase>(file, "parse").entries()) {
    const name = `parse ${nameOf(c, i)}`;
    if (c.error) tally.throws(name, () => parseQuantity(c.in));
    else tally.same(name, () => parsed(c), expected(c));
  }
  for (const { a, b, cmp, sum, difference } of casesOf<ArithmeticCase>(file, "arithmetic")) {
    tally.same(`arithmetic ${a} and ${b}`, () => calculated(a, b), { cmp, sum, difference });
  }
  return tally.result();
}

function expected(c: ParseCase) {
  if (c.outOfRangeQuirk) return { canonical: c.canonical };
  return { canonical: c.canonical, value: c.value, milliValue: c.milliValue };
}

function parsed(c: ParseCase) {
  const quantity = parseQuantity(c.in);
  const canonical = formatQuantity(quantity);
  if (c.outOfRangeQuirk) return { canonical };
  return { canonical, value: `${value(quantity)}`, milliValue: `${milliValue(quantity)}` };
}

function calculated(left: string, right: string) {
  const a = parseQuantity(left);
  const b = parseQuantity(right);
  return {
    cmp: compareQuantities(a, b),
    sum: formatQuantity(addQuantities(a, b)),
    difference: formatQuantity(subtractQuantities(a, b)),
  };
}
