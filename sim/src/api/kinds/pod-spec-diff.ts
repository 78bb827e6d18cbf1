/**
 * The difference that an error shows when a Pod's spec may not change.
 * Models:     the diff in ValidatePodUpdate, pkg/apis/core/validation @ v1.36
 * Leaves out: fields inside containers and volumes are shown as the API names
 *             them, and not with all the empty ones of upstream's structs.
 */
import type { Json, JsonObject } from "../types.ts";

const context = 3;

/** A unified diff of both, one field a line, three lines around a change. */
export function podSpecDiff(before: JsonObject, after: JsonObject): string {
  const [a, b] = [lines(before), lines(after)];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start) {
    if (a.at(-1 - end) !== b.at(-1 - end)) break;
    end++;
  }
  const from = Math.max(0, start - context);
  const [gone, come] = [
    a.slice(start, a.length - end),
    b.slice(start, b.length - end),
  ];
  const tail = a.slice(a.length - end, a.length - end + context);
  const head = a.slice(from, start);
  const size = head.length + tail.length;
  return [
    `@@ -${from + 1},${size + gone.length} +${from + 1},${size + come.length} @@`,
    ...head.map((line) => ` ${line}`),
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

function lines(spec: JsonObject): string[] {
  return JSON.stringify(sorted(spec), null, 1).split("\n");
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([x], [y]) =>
    x < y ? -1 : x > y ? 1 : 0,
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, sorted(inner)]),
  );
}
