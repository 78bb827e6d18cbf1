/** Moments as the CRI says them: nanoseconds since 1970. */
import type { Kernel } from "../kernel/index.ts";

const epochs = new WeakMap<Kernel, number>();

function epochMs(kernel: Kernel): number {
  let epoch = epochs.get(kernel);
  if (epoch === undefined) {
    epoch = Date.parse(kernel.timestamp(0));
    epochs.set(kernel, epoch);
  }
  return epoch;
}

/** The simulated moment `atMs` in nanoseconds since 1970. */
export function nanosOf(kernel: Kernel, atMs = kernel.now()): number {
  return Math.round((epochMs(kernel) + atMs) * 1000) * 1000;
}

/** Simulated ms of a moment of the CRI, to the microsecond. */
export function msOfNanos(kernel: Kernel, nanos: number): number {
  return Math.round(nanos / 1000 - epochMs(kernel) * 1000) / 1000;
}
