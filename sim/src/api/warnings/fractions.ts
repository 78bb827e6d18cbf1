/**
 * Bytes come whole.
 * Models: pkg/api/{pod/warnings,persistentvolumeclaim/util}.go @ v1.36
 */
import { quote } from "../go-text.ts";
import { str } from "../kinds/access.ts";
import { milliValue, parseQuantity } from "../quantity.ts";
import type { JsonObject } from "../types.ts";

export function fractionWarnings(
  amounts: JsonObject,
  path: string,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => {
    const amount = amounts[name];
    if (amount === undefined) return [];
    if (milliValue(parseQuantity(str(amount))) % 1000n === 0n) return [];
    const why = "is invalid, must be an integer";
    return [
      `${path}[${name}]: fractional byte value ${quote(str(amount))} ${why}`,
    ];
  });
}
