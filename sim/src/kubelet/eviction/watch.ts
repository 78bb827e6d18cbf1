/**
 * Which thresholds are met, for how long, and which conditions the Node has
 * because of them. A condition outlives its cause by some minutes, so that a
 * node at the edge does not flicker.
 * Models: pkg/kubelet/eviction/helpers.go @ v1.36
 */
import type { KubeletConfiguration } from "../settings.ts";
import type { Observations } from "./stats.ts";
import {
  amountOf,
  type Condition,
  SIGNALS,
  type Threshold,
  thresholdsOf,
} from "./thresholds.ts";

export class Watch {
  readonly thresholds: readonly Threshold[];
  private readonly transitionMs: number;
  private firstMetAtMs = new Map<Threshold, number>();
  private readonly lastSeenAtMs = new Map<Condition, number>();
  /** Met, their grace period over, and not yet enough reclaimed. */
  private unresolved: readonly Threshold[] = [];
  private current: ReadonlySet<Condition> = NONE;

  /** `transitionMs`: how long a condition outlives its cause. */
  constructor(config: KubeletConfiguration, transitionMs: number) {
    this.thresholds = thresholdsOf(config);
    this.transitionMs = transitionMs;
  }

  get conditions(): ReadonlySet<Condition> {
    return this.current;
  }

  /** Nothing is short, and nothing was lately. */
  isQuiet(seen: Observations): boolean {
    if (this.firstMetAtMs.size > 0 || this.current.size > 0) return false;
    return this.thresholds.every((each) => !isMet(each, seen, false));
  }

  /** Those to act on, memory first. */
  update(seen: Observations, nowMs: number): readonly Threshold[] {
    const met = this.thresholds.filter(
      (each) =>
        isMet(each, seen, false) ||
        (this.unresolved.includes(each) && isMet(each, seen, true)),
    );
    const { firstMetAtMs, lastSeenAtMs } = this;
    const since = (each: Threshold) => firstMetAtMs.get(each) ?? nowMs;
    this.firstMetAtMs = new Map(met.map((each) => [each, since(each)]));
    for (const { signal } of met) lastSeenAtMs.set(SIGNALS[signal][0], nowMs);
    const recent = [...lastSeenAtMs].filter(
      ([, atMs]) => nowMs - atMs < this.transitionMs,
    );
    this.current = new Set(recent.map(([condition]) => condition));
    this.unresolved = met.filter(
      (each) => nowMs - since(each) >= each.gracePeriodMs,
    );
    const isMemory = ({ signal }: Threshold) => signal === "memory.available";
    const memory = this.unresolved.filter(isMemory);
    return [...memory, ...this.unresolved.filter((each) => !isMemory(each))];
  }
}

const NONE: ReadonlySet<Condition> = new Set();

/** `reclaiming`: less the least that shall be reclaimed. */
export function isMet(
  { signal, value, minReclaim }: Threshold,
  seen: Observations,
  reclaiming: boolean,
): boolean {
  const { available, capacity } = seen[signal];
  const least = reclaiming && minReclaim ? amountOf(minReclaim, capacity) : 0;
  return available < amountOf(value, capacity) + least;
}
