/**
 * The kernel as a machine sees it whose clock is wrong. What it writes down
 * as a moment, and what it makes of a moment that another wrote, is off by as
 * much; how long it waits is not, since timers run by a clock that is never
 * set (Go's monotonic one).
 */
import type { Kernel } from "./kernel.ts";

/** `aheadMs`: how far its clock is ahead; below 0, behind. */
export function withClock(kernel: Kernel, aheadMs: number): Kernel {
  const own: Partial<Kernel> = {
    timestamp: (atMs = kernel.now()) => kernel.timestamp(atMs + aheadMs),
    microTimestamp: (atMs = kernel.now()) =>
      kernel.microTimestamp(atMs + aheadMs),
    msOf: (timestamp) => kernel.msOf(timestamp) - aheadMs,
  };
  const known = new Map<PropertyKey, unknown>(Object.entries(own));
  return new Proxy(kernel, {
    get(target, key) {
      if (known.has(key)) return known.get(key);
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      // A method works on the one kernel that there is.
      const method: unknown = value.bind(target);
      known.set(key, method);
      return method;
    },
    set: (target, key, value) => Reflect.set(target, key, value),
  });
}
