import { describe, expect, it } from "vitest";
import type { CronJob } from "../../../sim/src/api/kinds/cronjob.ts";
import { parseSchedule } from "../../../sim/src/controllers/cronjob/schedule.ts";
import { mostRecent, untilNextMs } from "../../../sim/src/controllers/cronjob/times.ts";

function following(schedule: string, from: string, count: number, zone?: string): string[] {
  const parsed = parseSchedule(schedule, zone);
  const times: string[] = [];
  let ms: number | undefined = Date.parse(from);
  for (let i = 0; i < count && ms !== undefined; i++) {
    ms = parsed.next(ms);
    if (ms !== undefined) times.push(new Date(ms).toISOString().slice(0, 16));
  }
  return times;
}

describe("parseSchedule", () => {
  it("reads steps, lists, ranges and names", () => {
    expect(following("*/20 9-10 * * mon-fri", "2026-01-02T10:30:00Z", 3)).toEqual([
      "2026-01-02T10:40",
      "2026-01-05T09:00",
      "2026-01-05T09:20",
    ]);
    expect(following("0 0 1 jan,jul *", "2026-01-01T00:00:00Z", 2)).toEqual([
      "2026-07-01T00:00",
      "2027-01-01T00:00",
    ]);
  });

  it("takes either day field if both are given, both if one is a star", () => {
    expect(following("0 0 13 * 5", "2026-02-01T00:00:00Z", 3)).toEqual([
      "2026-02-06T00:00",
      "2026-02-13T00:00",
      "2026-02-20T00:00",
    ]);
    expect(following("0 0 * * 0", "2026-02-02T00:00:00Z", 1)).toEqual(["2026-02-08T00:00"]);
  });

  it("knows leap days and schedules that never come", () => {
    expect(following("0 0 29 2 *", "2026-01-01T00:00:00Z", 1)).toEqual(["2028-02-29T00:00"]);
    expect(following("0 0 31 2 *", "2026-01-01T00:00:00Z", 1)).toEqual([]);
  });

  it("follows a zone's clocks; an hour that does not exist is left out", () => {
    expect(following("30 9 * * *", "2026-01-01T00:00:00Z", 1, "Asia/Tokyo")).toEqual([
      "2026-01-01T00:30",
    ]);
    expect(following("30 2 * * *", "2026-03-07T12:00:00Z", 1, "America/New_York")).toEqual([
      "2026-03-09T06:30",
    ]);
  });

  it("reads descriptors", () => {
    expect(following("@hourly", "2026-01-01T00:10:00Z", 1)).toEqual(["2026-01-01T01:00"]);
    expect(following("@every 90m", "2026-01-01T00:10:00Z", 1)).toEqual(["2026-01-01T01:40"]);
  });

  it("says what is wrong", () => {
    expect(() => parseSchedule("* * * *")).toThrow("expected exactly 5 fields");
    expect(() => parseSchedule("61 * * * *")).toThrow("end of range (61) above maximum (59)");
    expect(() => parseSchedule("5-2 * * * *")).toThrow("beyond end of range");
    expect(() => parseSchedule("* * * * *", "Mars/Olympus")).toThrow("unknown time zone");
  });
});

describe("the starts of a CronJob", () => {
  const now = Date.parse("2026-03-01T00:00:00Z");
  const cronJob = (schedule: string) =>
    ({
      ...{ apiVersion: "batch/v1", kind: "CronJob" },
      metadata: { name: "c", creationTimestamp: "2026-02-28T23:58:30Z" },
      spec: { schedule, jobTemplate: { spec: { template: {} } } },
    }) as CronJob;

  it("are an error if they never come, and wait for no time", () => {
    const schedule = parseSchedule("0 0 31 2 *");
    const never = cronJob("0 0 31 2 *");
    expect(() => mostRecent(never, now, schedule, true)).toThrow(
      "time difference between two schedules is less than 1 second",
    );
    expect(untilNextMs(never, now, schedule)).toBeUndefined();
  });

  it("are the last one missed, and the next shortly after its minute", () => {
    const schedule = parseSchedule("* * * * *");
    const each = cronJob("* * * * *");
    expect(mostRecent(each, now + 500, schedule, true)).toMatchObject({ atMs: now, missed: "few" });
    expect(untilNextMs(each, now + 500, schedule)).toBe(59_600);
  });
});
