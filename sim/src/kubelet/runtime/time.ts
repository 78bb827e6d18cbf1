/** Moments of the CRI (nanoseconds since 1970) as simulated ms. */
import type { Kernel } from "../../kernel/index.ts";

const epochs = new WeakMap<Kernel, number>();

export function msOfNanos(kernel: Kernel, nanos: number): number {
  let epochMs = epochs.get(kernel);
  if (epochMs === undefined) {
    epochMs = Date.parse(kernel.timestamp(0));
    epochs.set(kernel, epochMs);
  }
  return Math.round(nanos / 1000 - epochMs * 1000) / 1000;
}
