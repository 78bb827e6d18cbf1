/**
 * Parses quantities: "100m", "1.5Gi", "2e3".
 * Models:     apimachinery/pkg/api/resource/quantity.go, suffix.go @ v1.36
 * Leaves out: CBOR and protobuf.
 * Try:        let "1K" through as 1000 and see which manifests then differ.
 */

export type Format = "DecimalExponent" | "DecimalSI" | "BinarySI";

/**
 * A number `unscaled * 10^exponent`, and how it likes to be written.
 * `text` is set only where the input already counts as canonical; upstream
 * then prints it back as it came ("+5" stays "+5").
 * `big` says that upstream keeps it as inf.Dec and not as an int64; the
 * template hash prints that, and negative rounding differs by it.
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: Format;
  readonly text: string;
  readonly big: boolean;
}

/** A text that is no quantity. The message is upstream's. */
export class QuantityError extends Error {}

const wrongFormat =
  "quantities must match the regular expression " +
  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = "unable to parse numeric part of quantity";
const wrongSuffix = "unable to parse quantity's suffix";

const shape =
  /^(?<sign>[+-]?)(?<zeros>0*)(?<num>\d*)(?<rest>(?:\.(?<denom>\d*))?)(?<suffix>[eEinumkKMGTP]*[-+]?\d*)$/;

/** Power of ten of each decimal suffix. */
export const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Power of two of each binary suffix. */
export const binarySuffixes: Readonly<Record<string, number>> = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
};

export const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const nano = -9;
const maxInt64Digits = 18;

interface Parts {
  negative: boolean;
  num: string;
  denom: string;
  /** Whether a digit was written at all ("-" and "m" have none). */
  hasDigits: boolean;
  suffix: string;
}

/** Reads `text`; white space is for the caller to trim. Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  if (text === "0") return { ...zero, text };
  const parts = split(text);
  const { base, exponent, format } = interpretSuffix(parts.suffix);
  return (
    small(text, parts, format, exponent) ?? exact(parts, base, exponent, format)
  );
}

/** No quantity at all counts as this. */
export const zero: Quantity = Object.freeze({
  unscaled: 0n,
  exponent: 0,
  format: "DecimalSI",
  text: "",
  big: false,
});

function split(text: string): Parts {
  const groups = text === "" ? undefined : shape.exec(text)?.groups;
  if (!groups) throw new QuantityError(wrongFormat);
  const { sign, zeros = "", num = "", denom = "", suffix = "" } = groups;
  return {
    negative: sign === "-",
    num: num === "" ? "0" : num,
    denom,
    hasDigits: zeros + num + denom !== "",
    suffix,
  };
}

function interpretSuffix(suffix: string): {
  base: 2 | 10;
  exponent: number;
  format: Format;
} {
  const ten = decimalSuffixes[suffix];
  if (ten !== undefined)
    return { base: 10, exponent: ten, format: "DecimalSI" };
  const two = binarySuffixes[suffix];
  if (two !== undefined) return { base: 2, exponent: two, format: "BinarySI" };
  const power = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  const exponent = Number(power);
  if (power === undefined || !Number.isSafeInteger(exponent)) {
    throw new QuantityError(wrongSuffix);
  }
  return { base: 10, exponent, format: "DecimalExponent" };
}

/** The int64 form, or undefined if upstream would take inf.Dec instead. */
function small(
  text: string,
  { negative, num, denom }: Parts,
  format: Format,
  exponent: number,
): Quantity | undefined {
  const binary = format === "BinarySI";
  if (digitsToSpare(num, denom, binary, exponent) < 0) return undefined;
  const scale = (binary ? 0 : exponent) - denom.length;
  if (scale < nano) return undefined;
  const digits = num + denom;
  const written = BigInt(digits);
  const size = binary ? written << BigInt(exponent) : written;
  if (size > maxInt64) return undefined;
  const canonical = binary
    ? (written & 7n) !== 0n
    : scale % 3 === 0 && !digits.endsWith("000") && digits[0] !== "0";
  return {
    unscaled: negative ? -size : size,
    exponent: scale,
    format,
    text: canonical ? text : "",
    big: false,
  };
}

function digitsToSpare(
  num: string,
  denom: string,
  binary: boolean,
  exponent: number,
): number {
  if (!binary) return maxInt64Digits - num.length - denom.length;
  if (denom !== "") return -1;
  return 15 - num.length - Math.trunc((exponent * 3) / 10) - 1;
}

/** The inf.Dec form: exact, but nothing finer than nano. */
function exact(
  { negative, num, denom, hasDigits }: Parts,
  base: 2 | 10,
  power: number,
  format: Format,
): Quantity {
  if (!hasDigits) throw new QuantityError(wrongNumber);
  let unscaled = BigInt(num + denom);
  let exponent = -denom.length;
  if (base === 2) unscaled <<= BigInt(power);
  else exponent += power;
  if (unscaled !== 0n) [unscaled, exponent] = inNano(unscaled, exponent);
  let kind = format;
  if (format === "BinarySI") {
    const fraction = powerOfTen(-exponent);
    if (unscaled > maxInt64 * fraction) {
      unscaled = maxInt64;
      exponent = 0;
    }
    if (unscaled > 0n && unscaled < fraction) kind = "DecimalSI";
  }
  return {
    unscaled: negative ? -unscaled : unscaled,
    exponent,
    format: kind,
    text: "",
    big: true,
  };
}

/** Rounded up to billionths. Powers beyond any real amount stay as they are. */
function inNano(unscaled: bigint, exponent: number): [bigint, number] {
  const zeros = exponent - nano;
  if (zeros > 60) return [unscaled, exponent];
  if (zeros >= 0) return [unscaled * powerOfTen(zeros), nano];
  const divisor = powerOfTen(Math.min(-zeros, `${unscaled}`.length + 1));
  return [(unscaled + divisor - 1n) / divisor, nano];
}

export function powerOfTen(n: number): bigint {
  return 10n ** BigInt(n);
}

export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}
