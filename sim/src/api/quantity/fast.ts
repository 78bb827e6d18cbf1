/**
 * Quantities as plain numbers, remembered by their text: for the scheduler,
 * which reads the same few hundred texts millions of times.
 * Models:     what NodeInfo and Resource keep as int64 @ v1.36
 * Leaves out: precision above 2^53 (8 PiB in bytes).
 */
import { milliValue, value } from "./arithmetic.ts";
import { parseQuantity } from "./parse.ts";

/** A field of a manifest: YAML may give a number where text is meant. */
export type QuantityText = string | number | undefined;

const remembered = 10_000;
const milliOf = new Map<QuantityText, number>();
const wholeOf = new Map<QuantityText, number>();

/** CPU in thousandths of a core. Absent is 0. Throws QuantityError. */
export function milliCpu(text: QuantityText): number {
  const known = milliOf.get(text);
  if (known !== undefined) return known;
  const found = Number(milliValue(parseQuantity(String(text ?? "0"))));
  return remember(milliOf, text, found);
}

/** Memory, storage in bytes, or a count. Absent is 0. Throws QuantityError. */
export function bytes(text: QuantityText): number {
  const known = wholeOf.get(text);
  if (known !== undefined) return known;
  const found = Number(value(parseQuantity(String(text ?? "0"))));
  return remember(wholeOf, text, found);
}

function remember(
  cache: Map<QuantityText, number>,
  text: QuantityText,
  found: number,
): number {
  if (cache.size >= remembered) cache.clear();
  cache.set(text, found);
  return found;
}
