/**
 * Cron schedules: "30 6-16/4 * * 1-5", "@daily", "@every 90m".
 * Models:     github.com/robfig/cron/v3 (spec.go, constantdelay.go) as used by
 *             pkg/controller/cronjob @ v1.36
 * Leaves out: nothing that the API server lets through.
 */
import {
  type CronFields,
  readSchedule,
} from "../../api/kinds/cronjob-schedule.ts";
import { type Calendar, calendarOf } from "./calendar.ts";

/** Tells the first moment after another; ms since 1970. */
export interface Schedule {
  /** Undefined if there is none in the next five years. */
  next(afterMs: number): number | undefined;
}

/** Throws if the text is no schedule, or the zone is not known. */
export function parseSchedule(text: string, timeZone = "UTC"): Schedule {
  const read = readSchedule(text);
  if ("everyMs" in read) return every(read.everyMs);
  const calendar = calendarOf(timeZone);
  return { next: (afterMs) => nextTime(read, calendar, afterMs) };
}

/** Whole seconds, one at least. */
function every(delayMs: number): Schedule {
  const wholeMs = Math.max(1_000, Math.floor(delayMs / 1_000) * 1_000);
  return {
    next: (afterMs) => Math.floor(afterMs / 1_000) * 1_000 + wholeMs,
  };
}

const DAYS_AHEAD_MAX = 5 * 366;

/** Day by day, then hour by hour, then minute by minute. */
function nextTime(
  times: CronFields,
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
  { months, days, weekdays, bothDays }: CronFields,
  day: { month: number; day: number; weekday: number },
): boolean {
  if (!months.has(day.month)) return false;
  const byDay = days.has(day.day);
  const byWeekday = weekdays.has(day.weekday);
  return bothDays ? byDay && byWeekday : byDay || byWeekday;
}
