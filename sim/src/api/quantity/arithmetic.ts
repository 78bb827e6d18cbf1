/**
 * Values, comparison and sums of quantities, exact.
 * Models:     Quantity.Value, MilliValue, Cmp, Add, Sub, Neg @ v1.36
 * Leaves out: the int64 overflow of Value and MilliValue: they clamp.
 */
import type { Quantity } from "./parse.ts";
import { fitsInt64, maxInt64, powerOfTen } from "./parse.ts";

/** More zeros than any int64 has: the number is out of its range. */
const manyZeros = 40;
/** "1e999999999" is legal; its digits are not worth a gigabyte. */
const zerosMax = 4096;

/** Whole units, rounded away from zero (1 for "100m"), clamped to int64. */
export function value(quantity: Quantity): bigint {
  return scaledValue(quantity, 0);
}

/** Thousandths, rounded away from zero (100 for "100m"), clamped to int64. */
export function milliValue(quantity: Quantity): bigint {
  return scaledValue(quantity, -3);
}

/** The value in units of 10^scale, rounded away from zero. */
export function scaledValue(quantity: Quantity, scale: number): bigint {
  const { unscaled, exponent, big } = quantity;
  const zeros = exponent - scale;
  if (zeros >= 0) {
    if (zeros > manyZeros && unscaled !== 0n) return clamped(unscaled, true);
    return clamped(unscaled * powerOfTen(zeros), false);
  }
  const divisor = powerOfTen(-zeros);
  const quotient = unscaled / divisor;
  const remainder = unscaled % divisor;
  if (remainder === 0n) return clamped(quotient, false);
  // Upstream's inf.Dec path adds one to a truncated negative number too.
  const step = unscaled < 0n && !big ? -1n : 1n;
  return clamped(quotient + step, false);
}

function clamped(number: bigint, beyond: boolean): bigint {
  if (!beyond && fitsInt64(number)) return number;
  return number < 0n ? -maxInt64 - 1n : maxInt64;
}

/** -1, 0 or 1. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const [x, y] = aligned(a, b);
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

/** a + b. Keeps the format of a, or that of b if a is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [x, y, exponent] = aligned(a, b);
  return result(a, b, x + y, exponent);
}

/** a - b. Keeps the format of a, or that of b if a is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  const [x, y, exponent] = aligned(a, b);
  return result(a, b, x - y, exponent);
}

export function negateQuantity(quantity: Quantity): Quantity {
  return { ...quantity, unscaled: -quantity.unscaled, text: "" };
}

export function isZero(quantity: Quantity): boolean {
  return quantity.unscaled === 0n;
}

function result(
  a: Quantity,
  b: Quantity,
  unscaled: bigint,
  exponent: number,
): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  const big = a.big || b.big || !fitsInt64(unscaled);
  return { unscaled, exponent, format, text: "", big };
}

/** Both numbers in units of the smaller of the two powers of ten. */
function aligned(a: Quantity, b: Quantity): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [inUnitsOf(a, exponent), inUnitsOf(b, exponent), exponent];
}

function inUnitsOf({ unscaled, exponent }: Quantity, unit: number): bigint {
  if (unscaled === 0n) return 0n;
  return unscaled * powerOfTen(Math.min(exponent - unit, zerosMax));
}
