/**
 * Which start of a CronJob is due.
 * Models: pkg/controller/cronjob/utils.go @ v1.36
 */
import type { CronJob } from "../../api/kinds/cronjob.ts";
import type { Schedule } from "./schedule.ts";

/** Added to the wait, so that the moment is surely past. */
const DELTA_MS = 100;
const MANY_MISSED = 100;

export interface Due {
  /** The last start that should have been; undefined if none. ms since 1970. */
  readonly atMs: number | undefined;
  readonly missed: "none" | "few" | "many";
  readonly earliestMs: number;
}

/** Times are ms since 1970. */
export function mostRecent(
  { metadata, spec, status }: CronJob,
  nowMs: number,
  schedule: Schedule,
  withDeadline: boolean,
): Due {
  const since = status?.lastScheduleTime ?? metadata.creationTimestamp ?? "";
  let earliestMs = Date.parse(since);
  const { startingDeadlineSeconds } = spec;
  if (withDeadline && startingDeadlineSeconds !== undefined) {
    earliestMs = Math.max(earliestMs, nowMs - startingDeadlineSeconds * 1000);
  }
  const first = schedule.next(earliestMs);
  if (first === undefined) throw tooClose();
  if (nowMs < first) return { atMs: undefined, missed: "none", earliestMs };
  const second = schedule.next(first) ?? Number.POSITIVE_INFINITY;
  if (nowMs < second) return { atMs: first, missed: "none", earliestMs };
  const betweenMs = second - first;
  if (betweenMs < 1000) throw tooClose();
  const count = Math.floor((nowMs - first) / betweenMs) + 1;
  let atMs: number | undefined;
  let next = schedule.next(first + (count - 2) * betweenMs);
  while (next !== undefined && next <= nowMs) {
    atMs = next;
    next = schedule.next(next);
  }
  const missed = count > MANY_MISSED ? "many" : "few";
  return { atMs, missed, earliestMs };
}

/** What upstream says of a schedule that never comes, too: 31 February. */
function tooClose(): Error {
  const what = "time difference between two schedules is less than 1 second";
  return new Error(what);
}

/** Ms from now to shortly after the next start; undefined: there is none. */
export function untilNextMs(
  cronJob: CronJob,
  nowMs: number,
  schedule: Schedule,
): number | undefined {
  let fromMs = nowMs;
  try {
    const due = mostRecent(cronJob, nowMs, schedule, false);
    if (due.atMs !== undefined) fromMs = due.atMs;
    else if (due.missed === "none") fromMs = due.earliestMs;
  } catch {
    // No moment was due that can be told: the next slot from now on.
  }
  const next = schedule.next(fromMs);
  if (next === undefined) return undefined;
  return Math.max(0, next + DELTA_MS - nowMs);
}
