/**
 * Cron schedules: "30 6-16/4 * * 1-5", "@daily", "@every 90m".
 * Models:     github.com/robfig/cron/v3 (parser.go, spec.go) as used by
 *             pkg/controller/cronjob @ v1.36
 * Leaves out: nothing that the API server lets through.
 */
import { type Calendar, calendarOf } from "./calendar.ts";

/** Tells the first moment after another; ms since 1970. */
export interface Schedule {
  /** Undefined if there is none in the next five years. */
  next(afterMs: number): number | undefined;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = "sun mon tue wed thu fri sat".split(" ");

const MINUTE: Bounds = { min: 0, max: 59 };
const HOUR: Bounds = { min: 0, max: 23 };
const DAY: Bounds = { min: 1, max: 31 };
const MONTH: Bounds = { min: 1, max: 12, names: ["", ...MONTHS] };
const WEEKDAY: Bounds = { min: 0, max: 6, names: DAYS };

const DESCRIPTORS: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Throws if the text is no schedule, or the zone is not known. */
export function parseSchedule(text: string, timeZone = "UTC"): Schedule {
  if (text.startsWith("@every ")) return every(text.slice("@every ".length));
  const spec = DESCRIPTORS[text] ?? text;
  if (spec.startsWith("@")) {
    throw new Error(`unrecognized descriptor: ${text}`);
  }
  const fields = spec.trim().split(/\s+/);
  if (fields.length !== 5) {
    const found = `found ${fields.length}: [${fields.join(" ")}]`;
    throw new Error(`expected exactly 5 fields, ${found}`);
  }
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const times: Times = {
    minutes: parseField(minute, MINUTE),
    hours: parseField(hour, HOUR),
    days: parseField(day, DAY),
    months: parseField(month, MONTH),
    weekdays: parseField(weekday, WEEKDAY),
    // With a star in either, both must match; else one is enough.
    bothDays: isStar(day) || isStar(weekday),
  };
  const calendar = calendarOf(timeZone);
  return { next: (afterMs) => nextTime(times, calendar, afterMs) };
}

function isStar(field: string): boolean {
  return field.split(",").some((part) => /^[*?](\/1)?$/.test(part));
}

function every(duration: string): Schedule {
  const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000 };
  let delayMs = 0;
  for (const [, count, unit] of duration.matchAll(/([\d.]+)(h|ms|m|s)/g)) {
    delayMs += Number(count) * (units[unit ?? ""] ?? 1);
  }
  if (delayMs === 0) throw new Error(`failed to parse duration ${duration}`);
  const wholeMs = Math.max(1_000, Math.floor(delayMs / 1_000) * 1_000);
  return {
    next: (afterMs) => Math.floor(afterMs / 1_000) * 1_000 + wholeMs,
  };
}

/** The values that a field allows. */
function parseField(field: string, bounds: Bounds): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    for (const value of parseRange(part, bounds)) values.add(value);
  }
  return values;
}

function parseRange(part: string, bounds: Bounds): number[] {
  const [range = "", stepText, ...rest] = part.split("/");
  if (rest.length > 0) throw new Error(`too many slashes: ${part}`);
  const step = stepText === undefined ? 1 : numberIn(stepText, part);
  if (step === 0)
    throw new Error(`step of range should be a positive number: ${part}`);
  const [from, to] = endsOf(range, part, stepText !== undefined, bounds);
  if (from < bounds.min) {
    throw new Error(
      `beginning of range (${from}) below minimum (${bounds.min}): ${part}`,
    );
  }
  if (to > bounds.max) {
    throw new Error(
      `end of range (${to}) above maximum (${bounds.max}): ${part}`,
    );
  }
  if (from > to) {
    throw new Error(
      `beginning of range (${from}) beyond end of range (${to}): ${part}`,
    );
  }
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function endsOf(
  range: string,
  part: string,
  hasStep: boolean,
  bounds: Bounds,
): [number, number] {
  if (range === "*" || range === "?") return [bounds.min, bounds.max];
  const [low = "", high, ...rest] = range.split("-");
  if (rest.length > 0) throw new Error(`too many hyphens: ${part}`);
  const from = numberOf(low, part, bounds);
  if (high !== undefined) return [from, numberOf(high, part, bounds)];
  return [from, hasStep ? bounds.max : from];
}

function numberOf(text: string, part: string, { names }: Bounds): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return text !== "" && named >= 0 ? named : numberIn(text, part);
}

function numberIn(text: string, part: string): number {
  if (!/^[0-9]+$/.test(text)) {
    throw new Error(`failed to parse int from ${part}: "${text}"`);
  }
  return Number(text);
}

interface Times {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  readonly bothDays: boolean;
}

const DAYS_AHEAD_MAX = 5 * 366;

/** Day by day, then hour by hour, then minute by minute. */
function nextTime(
  times: Times,
  calendar: Calendar,
  afterMs: number,
): number | undefined {
  const firstMs = (Math.floor(afterMs / 60_000) + 1) * 60_000;
  let day = calendar.dayOf(firstMs);
  for (let i = 0; i < DAYS_AHEAD_MAX; i++, day = calendar.dayAfter(day)) {
    if (!isDay(times, day)) continue;
    for (const hour of [...times.hours].toSorted((a, b) => a - b)) {
      for (const minute of [...times.minutes].toSorted((a, b) => a - b)) {
        const ms = calendar.momentOf(day, hour, minute);
        if (ms !== undefined && ms >= firstMs) return ms;
      }
    }
  }
  return undefined;
}

function isDay(
  { months, days, weekdays, bothDays }: Times,
  day: { month: number; day: number; weekday: number },
): boolean {
  if (!months.has(day.month)) return false;
  const byDay = days.has(day.day);
  const byWeekday = weekdays.has(day.weekday);
  return bothDays ? byDay && byWeekday : byDay || byWeekday;
}
