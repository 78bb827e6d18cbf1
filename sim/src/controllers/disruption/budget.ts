/**
 * How many Pods of a budget may be taken away now.
 * Models: pkg/controller/disruption/disruption.go @ v1.36
 */
import { scaledValue } from "../../api/intstr.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { PodDisruptionBudget } from "../../api/kinds/poddisruptionbudget.ts";
import type { PodDisruptionBudgetStatus } from "../../api/kinds/types/policy.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isReady } from "../shared/pods.ts";

type Clock = Pick<Kernel, "now" | "msOf">;

/** An evicted Pod that is still there after so long was not evicted. */
const EVICTION_MS = 2 * 60 * 1000;

/** Pods that there should be, and that must be healthy. */
export interface Needs {
  readonly expected: number;
  readonly healthy: number;
}

/** Does the budget speak of a share, or of those that there should be? */
export function usesScale({ spec }: PodDisruptionBudget): boolean {
  const { minAvailable, maxUnavailable } = spec;
  return maxUnavailable !== undefined || typeof minAvailable === "string";
}

// region: needs
/** `scale`: sum of the sizes of the Pods' controllers, if `usesScale`. */
export function needsOf(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  scale: number,
): Needs {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const lost = scaledValue(maxUnavailable, scale, true);
    return { expected: scale, healthy: Math.max(0, scale - lost) };
  }
  if (typeof minAvailable === "number") {
    return { expected: pods.length, healthy: minAvailable };
  }
  if (minAvailable === undefined) return { expected: 0, healthy: 0 };
  const healthy = scaledValue(minAvailable, scale, true);
  return { expected: scale, healthy };
}
// endregion: needs

/** Evictions that are under way, by Pod, and when to look again. */
export interface Evictions {
  readonly pods: { readonly [name: string]: string };
  readonly recheckMs: number | undefined;
  /** Pods that were to go and did not. */
  readonly failed: readonly Pod[];
}

export function evictionsOf(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  clock: Clock,
): Evictions {
  const open: Record<string, string> = {};
  const failed: Pod[] = [];
  let recheckMs: number | undefined;
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp) continue;
    const since = status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined) continue;
    const leftMs = clock.msOf(since) + EVICTION_MS - clock.now();
    if (leftMs < 0) {
      failed.push(pod);
      continue;
    }
    open[pod.metadata.name] = since;
    recheckMs = Math.min(recheckMs ?? leftMs, leftMs);
  }
  return { pods: open, recheckMs, failed };
}

/** The status, its condition apart. */
export function statusOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { expected, healthy }: Needs,
  evictions: Evictions,
): PodDisruptionBudgetStatus {
  const { conditions } = budget.status ?? {};
  const currentHealthy = pods.filter(
    (pod) =>
      !pod.metadata.deletionTimestamp &&
      !(pod.metadata.name in evictions.pods) &&
      isReady(pod),
  ).length;
  const spare = expected > 0 ? currentHealthy - healthy : 0;
  return {
    observedGeneration: budget.metadata.generation,
    disruptedPods: evictions.pods,
    disruptionsAllowed: Math.max(0, spare),
    currentHealthy,
    desiredHealthy: healthy,
    expectedPods: expected,
    conditions,
  };
}
