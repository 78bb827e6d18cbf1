/**
 * Writes quantities in canonical form: no fraction, the largest suffix.
 * Models:     Quantity.String, CanonicalizeBytes @ v1.36
 * Leaves out: nothing. Beyond E (10^18) a decimal quantity loses its suffix,
 *             as 1.36 does: 1000E prints as 1.
 */
import type { Quantity } from "./parse.ts";
import { binarySuffixes, decimalSuffixes, powerOfTen } from "./parse.ts";

const suffixOfTen = inverted(decimalSuffixes);
const suffixOfTwo = inverted({ "": 0, ...binarySuffixes });

/** What `kubectl get -o yaml` shows: "1500m" for 1.5. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== "") return quantity.text;
  if (quantity.unscaled === 0n) return "0";
  if (quantity.format === "BinarySI") {
    const whole = wholeNumber(quantity);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) {
      return binaryForm(whole);
    }
  }
  return decimalForm(quantity);
}

/** The value if it has no fraction. */
function wholeNumber({ unscaled, exponent }: Quantity): bigint | undefined {
  if (exponent >= 0) return unscaled * powerOfTen(exponent);
  const divisor = powerOfTen(-exponent);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function binaryForm(whole: bigint): string {
  let power = 0;
  let mantissa = whole;
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power += 10;
  }
  return `${mantissa}${suffixOfTwo.get(power) ?? ""}`;
}

function decimalForm({ unscaled, exponent, format }: Quantity): string {
  let mantissa = unscaled;
  let power = exponent;
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    power++;
  }
  while (power % 3 !== 0) {
    mantissa *= 10n;
    power--;
  }
  const exponential = format === "DecimalExponent" && power !== 0;
  return `${mantissa}${exponential ? `e${power}` : (suffixOfTen.get(power) ?? "")}`;
}

function inverted(
  table: Readonly<Record<string, number>>,
): Map<number, string> {
  return new Map(Object.entries(table).map(([text, power]) => [power, text]));
}
