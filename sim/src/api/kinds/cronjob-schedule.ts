/**
 * Cron schedules as they are written: "30 6-16/4 * * 1-5", "@daily",
 * "@every 90m". Read here, so that the API server can refuse what no
 * controller could follow.
 * Models:     github.com/robfig/cron/v3 parser.go
 * Leaves out: a time zone in the schedule, which is refused before.
 */
import { goDurationMs } from "../go-duration.ts";
import { quote } from "../go-text.ts";

/** Moments, or a delay. */
export type CronSchedule = CronFields | { readonly everyMs: number };

export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** With a star in either, both must match; else one is enough. */
  readonly bothDays: boolean;
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

/** Throws, with upstream's text, what is no schedule. */
export function readSchedule(text: string): CronSchedule {
  if (text.startsWith("@every ")) {
    return { everyMs: durationMs(text.slice("@every ".length), text) };
  }
  const spec = DESCRIPTORS[text] ?? text;
  if (spec.startsWith("@")) {
    throw new Error(`unrecognized descriptor: ${text}`);
  }
  const fields = spec.trim().split(/\s+/).filter(Boolean);
  if (fields.length !== 5) {
    const found = `found ${fields.length}: [${fields.join(" ")}]`;
    throw new Error(`expected exactly 5 fields, ${found}`);
  }
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  return {
    minutes: parseField(minute, MINUTE),
    hours: parseField(hour, HOUR),
    days: parseField(day, DAY),
    months: parseField(month, MONTH),
    weekdays: parseField(weekday, WEEKDAY),
    bothDays: isStar(day) || isStar(weekday),
  };
}

function durationMs(text: string, descriptor: string): number {
  return goDurationMs(text, (why) => {
    throw new Error(`failed to parse duration ${descriptor}: ${why}`);
  });
}

function isStar(field: string): boolean {
  return field.split(",").some((part) => /^[*?](\/1)?$/.test(part));
}

/** The values that a field allows. */
function parseField(field: string, bounds: Bounds): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of field.split(",").filter(Boolean)) {
    for (const value of parseRange(part, bounds)) values.add(value);
  }
  return values;
}

function parseRange(part: string, bounds: Bounds): number[] {
  const [range = "", stepText, ...rest] = part.split("/");
  const [from, to] = endsOf(range, part, stepText !== undefined, bounds);
  const step = stepText === undefined ? 1 : numberIn(stepText);
  const wrong = (is: boolean, why: string) => {
    if (is) throw new Error(`${why}: ${part}`);
  };
  const { min, max } = bounds;
  wrong(rest.length > 0, "too many slashes");
  wrong(from < min, `beginning of range (${from}) below minimum (${min})`);
  wrong(to > max, `end of range (${to}) above maximum (${max})`);
  wrong(from > to, `beginning of range (${from}) beyond end of range (${to})`);
  wrong(step === 0, "step of range should be a positive number");
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
  const [low = "", high, ...rest] = range.split("-");
  if (low === "*" || low === "?") return [bounds.min, bounds.max];
  const from = numberOf(low, bounds);
  if (rest.length > 0) throw new Error(`too many hyphens: ${part}`);
  if (high !== undefined) return [from, numberOf(high, bounds)];
  return [from, hasStep ? bounds.max : from];
}

function numberOf(text: string, { names }: Bounds): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return text !== "" && named >= 0 ? named : numberIn(text);
}

function numberIn(text: string): number {
  if (!/^[-+]?[0-9]+$/.test(text)) {
    const why = `strconv.Atoi: parsing ${quote(text)}: invalid syntax`;
    throw new Error(`failed to parse int from ${text}: ${why}`);
  }
  if (Number(text) < 0) {
    throw new Error(`negative number (${Number(text)}) not allowed: ${text}`);
  }
  return Number(text);
}
