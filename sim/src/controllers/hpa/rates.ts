/**
 * How far the policies of `behavior` let a size go now, given by how much it
 * changed of late.
 * Models: pkg/controller/podautoscaler/horizontal.go
 *         (calculateScaleUpLimitWithScalingRules and its kin) @ v1.36
 */
import type { HPAScalingRules } from "../../api/kinds/types/policy.ts";

interface Moment {
  readonly atMs: number;
  readonly replicas: number;
}

/** What is remembered of one autoscaler. */
export interface Memory {
  /** What was recommended before. */
  readonly recommendations: Moment[];
  /** By how much it was scaled. */
  readonly ups: Moment[];
  readonly downs: Moment[];
}

function changedSince(moments: readonly Moment[], fromMs: number): number {
  return moments
    .filter(({ atMs }) => atMs > fromMs)
    .reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Size at the beginning of a policy's period. */
function sizeBefore(
  { ups, downs }: Memory,
  current: number,
  periodSeconds: number,
  nowMs: number,
): number {
  const fromMs = nowMs - periodSeconds * 1000;
  return current - changedSince(ups, fromMs) + changedSince(downs, fromMs);
}

export function upLimit(
  memory: Memory,
  rules: HPAScalingRules | undefined,
  current: number,
  nowMs: number,
): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const limits = (rules?.policies ?? []).map(
    ({ type, value, periodSeconds }) => {
      const before = sizeBefore(memory, current, periodSeconds, nowMs);
      if (type === "Pods") return before + value;
      return Math.ceil(before * (1 + value / 100));
    },
  );
  return rules?.selectPolicy === "Min"
    ? Math.min(...limits)
    : Math.max(0, ...limits);
}

export function downLimit(
  memory: Memory,
  rules: HPAScalingRules | undefined,
  current: number,
  nowMs: number,
): number {
  if (rules?.selectPolicy === "Disabled") return current;
  const limits = (rules?.policies ?? []).map(
    ({ type, value, periodSeconds }) => {
      const before = sizeBefore(memory, current, periodSeconds, nowMs);
      if (type === "Pods") return before - value;
      return Math.trunc(before * (1 - value / 100));
    },
  );
  // The smaller change is the larger number.
  return rules?.selectPolicy === "Min"
    ? Math.max(...limits)
    : Math.min(...limits);
}
