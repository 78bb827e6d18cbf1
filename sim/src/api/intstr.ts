/**
 * Fields that take a number or a percentage: maxSurge, targetPort.
 * Models:     apimachinery/pkg/util/intstr/intstr.go @ v1.36
 */
import { quote } from "./go-text.ts";

export type IntOrString = number | string;

/**
 * `value` itself if it is a number, else that many percent of `total`.
 * Throws upstream's text if `value` is no percentage.
 */
export function scaledValue(
  value: IntOrString | undefined,
  total: number,
  roundUp: boolean,
): number {
  if (value === undefined) throw new Error("nil value for IntOrString");
  if (typeof value === "number") return value;
  const share = (percentOf(value) * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}

function percentOf(text: string): number {
  const invalid = "invalid value for IntOrString";
  if (!text.endsWith("%")) {
    throw new Error(`${invalid}: invalid type: string is not a percentage`);
  }
  try {
    return atoi(text.slice(0, -1));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${invalid}: invalid value ${quote(text)}: ${reason}`);
  }
}

/** A whole decimal number as Go's strconv.Atoi reads it, errors included. */
export function atoi(text: string): number {
  if (!/^[-+]?[0-9]+$/.test(text)) {
    throw new Error(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  }
  const number = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, number) !== number) {
    throw new Error(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
  }
  return Number(number);
}
