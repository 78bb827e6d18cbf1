/**
 * Local time of a zone: which day a moment is, which moment a local time is.
 * Models: time.LoadLocation and time.Date of Go
 */

export interface Day {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

export interface Calendar {
  dayOf(ms: number): Day;
  dayAfter(day: Day): Day;
  /** Undefined for a time that the clocks jump over. */
  momentOf(day: Day, hour: number, minute: number): number | undefined;
}

/** Throws if the zone is not known. */
export function calendarOf(timeZone: string): Calendar {
  const offsetMs = offsetsOf(timeZone);
  return {
    dayOf: (ms) => dayAt(ms + offsetMs(ms)),
    dayAfter: ({ year, month, day }) =>
      dayAt(Date.UTC(year, month - 1, day + 1)),
    momentOf({ year, month, day }, hour, minute) {
      const local = Date.UTC(year, month - 1, day, hour, minute);
      // The offset there, by the offset near there.
      const near = local - offsetMs(local);
      const ms = local - offsetMs(near);
      return ms + offsetMs(ms) === local ? ms : undefined;
    },
  };
}

function dayAt(localMs: number): Day {
  const date = new Date(localMs);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

/** How far local time is ahead of UTC, in ms, at a moment. */
function offsetsOf(timeZone: string): (ms: number) => number {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") return () => 0;
  const format = formatOf(timeZone);
  return (ms) => {
    const fields: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) {
      fields[type] = Number(value);
    }
    const { year = 0, month = 1, day, hour, minute, second } = fields;
    const local = Date.UTC(year, month - 1, day, hour, minute, second);
    return local - Math.floor(ms / 1000) * 1000;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23" },
      ...{ year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  } catch {
    throw new Error(`unknown time zone ${timeZone}`);
  }
}
