/**
 * Indexes of an Indexed Job as text: "0-2,5".
 * Models: validateIndexesFormat of pkg/apis/batch/validation/validation.go @ v1.36
 */
import { quote } from "../go-text.ts";

/** How many indexes "0-2,5" names; a text if it cannot be read. */
export function readIndexes(
  text: string,
  completions: number,
): number | string {
  let total = 0;
  let last = -1;
  for (const part of text ? text.split(",") : []) {
    const ends = part.split("-");
    if (ends.length > 2) {
      const rule =
        "an index interval can have at most two parts separated by '-'";
      return `the fragment ${quote(part)} violates the requirement that ${rule}`;
    }
    for (const end of ends) {
      if (!/^[-+]?\d+$/.test(end))
        return `cannot convert string to integer for index: ${quote(end)}`;
      if (Number(end) >= completions) return `too large index: ${quote(end)}`;
    }
    const [from = 0, to = from] = ends.map(Number);
    const order = (before: number, now: number) =>
      `non-increasing order, previous: ${before}, current: ${now}`;
    if (ends.length > 1 && from >= to) return order(from, to);
    if (total > 0 && last >= from) return order(last, from);
    total += to - from + 1;
    last = to;
  }
  return total;
}
