import { expect, it } from "vitest";
import { KeyedBackoff } from "../../../sim/src/kubelet/runtime/backoff.ts";

it("has ended at the moment that it names, whatever the fraction", () => {
  const backoff = new KeyedBackoff(10_000, 300_000);
  for (let i = 0; i < 2_000; i++) {
    const key = `pod-${i}`;
    const nowMs = 12_348 + i * 0.98956471309;
    backoff.next(key, nowMs, nowMs);
    const endMs = nowMs + backoff.get(key);
    expect(backoff.waitsSince(key, nowMs, nowMs + 9_999)).toBe(true);
    expect(backoff.waitsSince(key, nowMs, endMs)).toBe(false);
    expect(backoff.waitsSinceUpdate(key, nowMs + 9_999)).toBe(true);
    expect(backoff.waitsSinceUpdate(key, endMs)).toBe(false);
  }
});
