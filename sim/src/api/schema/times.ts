/**
 * Moments of RFC 3339 as they are kept; their form was checked before.
 * Models: apimachinery/pkg/apis/meta/v1/{time,micro_time}.go @ v1.36
 */

/** In UTC, with six decimals. */
export function microTime(value: string): string {
  const seconds = utcSeconds(value);
  // As written here: `2026-01-01T00:00:01.500000Z`.
  if (value.length === 27 && value.startsWith(seconds) && value.endsWith("Z"))
    return value;
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? "";
  return `${seconds}.${fraction.padEnd(6, "0").slice(0, 6)}Z`;
}

/** A run says few seconds, each of them often. */
export const SECONDS_MAX = 1000;
const secondsRead = new Map<string, string>();

/** Without its zone: `2026-01-01T00:00:01`. */
export function utcSeconds(value: string): string {
  const text = value.endsWith("Z")
    ? value.slice(0, 19)
    : value.replace(/\.\d+/, "");
  let found = secondsRead.get(text);
  if (found === undefined) {
    const date = new Date(value.replace(/\.\d+/, ""));
    found = date.toISOString().slice(0, 19);
    if (secondsRead.size >= SECONDS_MAX) secondsRead.clear();
    secondsRead.set(text, found);
  }
  return found;
}
