/**
 * What an autoscaler's metrics are weighed against: the Pods of its target,
 * and their number.
 * Models: getUsageRatioReplicaCount and its kin in pkg/controller/
 *         podautoscaler/replica_calculator.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { MetricTarget } from "../../api/kinds/types/policy.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isReady } from "../shared/pods.ts";
import { milliOf, quantityOf } from "./amounts.ts";
import type { MetricsSource } from "./metrics.ts";
import {
  type Calculation,
  isWithin,
  NO_PODS,
  type Tolerance,
} from "./replicas.ts";

export interface Target {
  readonly namespace: string;
  /** Wanted by the scale's spec. */
  readonly currentReplicas: number;
  /** There, by the scale's status. */
  readonly statusReplicas: number;
  readonly pods: readonly Pod[];
  readonly tolerance: Tolerance;
  readonly source: MetricsSource;
  readonly clock: Pick<Kernel, "now" | "msOf">;
}

export function calculationOf(
  target: Target,
  samples: Calculation["samples"],
): Calculation {
  const { currentReplicas, pods, tolerance, clock } = target;
  return { currentReplicas, pods, tolerance, clock, samples };
}

/** For one number that is not any Pod's. */
export function byValue(
  usage: number,
  { value, averageValue }: MetricTarget,
  { currentReplicas, statusReplicas, pods, tolerance }: Target,
) {
  if (averageValue !== undefined) {
    const wanted = milliOf(averageValue);
    const ratio = usage / (wanted * statusReplicas);
    const stays = isWithin(tolerance, ratio);
    const replicas = stays ? statusReplicas : Math.ceil(usage / wanted);
    const mean = statusReplicas === 0 ? 0 : Math.ceil(usage / statusReplicas);
    return { replicas, current: { averageValue: quantityOf(mean) } };
  }
  const ratio = usage / milliOf(value ?? "0");
  const stays = isWithin(tolerance, ratio);
  const replicas = stays ? currentReplicas : Math.ceil(ratio * readyOf(pods));
  return { replicas, current: { value: quantityOf(usage) } };
}

function readyOf(pods: readonly Pod[]): number {
  if (pods.length === 0) {
    throw new Error(`unable to calculate ready pods: ${NO_PODS}`);
  }
  return pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod))
    .length;
}
