/**
 * Backoff of a Pod that could not be scheduled: 1 s, doubling to 10 s. The
 * end is cut down to a whole second, so that Pods of one second come out
 * together and in the order of their priority.
 * Models: pkg/scheduler/backend/queue/backoff_queue.go @ v1.36
 */
const INITIAL_MS = 1000;
const MAX_MS = 10_000;
/** Pods that end within one window are ordered by priority. */
export const WINDOW_MS = 1000;

/** Wait after so many failures, in ms: 0, 1000, 2000, 4000, 8000, 10000 … */
export function backoffMs(failures: number): number {
  if (failures <= 0) return 0;
  return Math.min(INITIAL_MS * 2 ** Math.min(failures - 1, 30), MAX_MS);
}

/** When the backoff ends, in ms; 0 if there is none. */
export function backoffEndsAtMs(
  failedAtMs: number,
  unschedulableCount: number,
  consecutiveErrors = 0,
): number {
  const failures = consecutiveErrors || unschedulableCount;
  if (failures === 0) return 0;
  return windowOf(failedAtMs + backoffMs(failures));
}

/** Begin of the window that a moment lies in. */
export function windowOf(atMs: number): number {
  return Math.floor(atMs / WINDOW_MS) * WINDOW_MS;
}

/** True while the Pod must wait; in its last window it still does. */
export function isBackingOff(endsAtMs: number, nowMs: number): boolean {
  return endsAtMs > 0 && endsAtMs >= windowOf(nowMs);
}
