/**
 * Times as kubectl reads and writes them.
 * Models:     time.ParseDuration, time.RFC1123Z, duration.HumanDuration
 */
import { humanDuration } from "../api/table.ts";
import { CommandError, type Environment } from "./environment.ts";

const UNITS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** `1m30s` → 90000; throws CommandError in Go's words. */
export function parseDuration(text: string, flag: string): number {
  const sign = text.startsWith("-") ? -1 : 1;
  const bare = text.replace(/^[-+]/, "");
  if (bare === "0") return 0;
  if (!/^(\d+(\.\d*)?(ms|s|m|h))+$/.test(bare)) {
    const why = /^\d+$/.test(bare) ? "missing unit in" : "invalid";
    throw new CommandError(
      `invalid argument "${text}" for "--${flag}" flag: time: ${why} duration "${text}"`,
    );
  }
  let ms = 0;
  for (const [, amount, unit] of bare.matchAll(/([\d.]+)(ms|s|m|h)/g))
    ms += Number(amount) * UNITS[unit!]!;
  return sign * ms;
}

/** The simulated moment in ms since 1970, as ages are counted from. */
export function nowOf({ kernel }: Environment): number {
  return Date.parse(kernel.microTimestamp());
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = [
  ...["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
];

/** `Mon, 30 Nov 2026 07:17:06 +0000`; of no time, Go's year 1. */
export function longTime(time: unknown): string {
  if (typeof time !== "string" || time === "")
    return "Mon, 01 Jan 0001 00:00:00 +0000";
  const date = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())}`;
  const month = `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const clock = [
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return `${day} ${month} ${clock.map(two).join(":")} +0000`;
}

/** `2026-11-30 07:17:06 +0000 UTC`, as Go prints a time. */
export function utcTime(time: unknown): string {
  const [day = "", clock = ""] = String(time).slice(0, 19).split("T");
  return `${day} ${clock} +0000 UTC`;
}

/** How long ago, in words; `<unknown>` of no time. */
export function ago(time: unknown, env: Environment): string {
  if (typeof time !== "string" || time === "") return "<unknown>";
  return humanDuration(nowOf(env) - Date.parse(time));
}
