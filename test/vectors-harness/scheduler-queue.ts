/** Replays scheduler-queue.json: how long a Pod backs off, and when that ends. */
import { backoffEndsAtMs, backoffMs } from "../../sim/src/scheduler/queue/backoff.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Duration {
  attempts: number;
  seconds: number;
}

interface End {
  failedAtMs: number;
  unschedulableCount: number;
  consecutiveErrors?: number;
  backoffEndsAtMs: number;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Duration>(file, "durations").entries()) {
    tally.same(`durations ${nameOf(c, i)}`, () => backoffMs(c.attempts) / 1000, c.seconds);
  }
  for (const [i, c] of casesOf<End>(file, "ends").entries()) {
    const ends = () => backoffEndsAtMs(c.failedAtMs, c.unschedulableCount, c.consecutiveErrors);
    tally.same(`ends ${nameOf(c, i)}`, ends, c.backoffEndsAtMs);
  }
  return tally.result();
}
