/**
 * One metric of an autoscaler: measured, and turned into a proposal.
 * Models:     pkg/controller/podautoscaler/horizontal.go @ v1.36
 * Leaves out: selectors of object and external metrics; the metrics source
 *             knows them by name.
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
} from "../../api/kinds/types/policy.ts";
import { milliCpu } from "../../api/quantity.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { MetricsSource } from "./metrics.ts";
import {
  type Calculation,
  DEFAULT_TOLERANCE,
  forAverage,
  forUtilization,
  isWithin,
  type Proposal,
  type Tolerance,
} from "./replicas.ts";
import { requestsOf } from "./requests.ts";

export interface Target {
  readonly namespace: string;
  readonly currentReplicas: number;
  readonly pods: readonly Pod[];
  readonly tolerance: Tolerance;
  readonly source: MetricsSource;
  readonly clock: Pick<Kernel, "now" | "msOf">;
}

export interface Outcome {
  readonly replicas: number;
  /** In conditions and Events: "cpu resource utilization …". */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that cannot be had; `reason` is the condition's. */
export class MetricError extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.name = "MetricError";
    this.reason = reason;
  }
}

/** Throws MetricError. */
export function evaluate(spec: MetricSpec, target: Target): Outcome {
  const failed = `FailedGet${spec.type}Metric`;
  try {
    if (spec.resource) return ofResource(spec.resource, target);
    if (spec.containerResource) {
      const { container, ...resource } = spec.containerResource;
      return ofResource(resource, target, container);
    }
    if (spec.pods) return ofPods(spec.pods, target);
    if (spec.object) return ofObject(spec.object, target);
    if (spec.external) return ofExternal(spec.external, target);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new MetricError(failed, message);
  }
  const message = `unknown metric source type "${spec.type}"`;
  throw new MetricError("InvalidMetricSourceType", message);
}

/** Thousandths of a quantity, for CPU and for all else. */
function milliOf(quantity: string): number {
  return milliCpu(quantity);
}

function quantityOf(milli: number): string {
  return milli % 1000 === 0 ? `${milli / 1000}` : `${milli}m`;
}

function calculationOf(
  target: Target,
  samples: Calculation["samples"],
): Calculation {
  const { currentReplicas, pods, tolerance, clock } = target;
  return { currentReplicas, pods, tolerance, clock, samples };
}

function ofResource(
  { name, target }: { name: string; target: MetricTarget },
  about: Target,
  container?: string,
): Outcome {
  const { source, namespace, pods } = about;
  const samples = source.podResource(namespace, name, container);
  const calculation = calculationOf(about, samples);
  let proposal: Proposal;
  let current: { averageUtilization?: number; averageValue: string };
  const { averageValue, averageUtilization = 0 } = target;
  if (averageValue !== undefined) {
    proposal = forAverage(calculation, name, milliOf(averageValue));
    current = { averageValue: quantityOf(proposal.averageMilli) };
  } else {
    const requests = requestsOf(pods, name, container);
    proposal = forUtilization(calculation, name, requests, averageUtilization);
    current = {
      averageUtilization: proposal.utilization,
      averageValue: quantityOf(proposal.averageMilli),
    };
  }
  const part = container ? "container resource" : "resource";
  const how =
    averageValue === undefined ? " utilization (percentage of request)" : "";
  return {
    replicas: proposal.replicas,
    name: `${name} ${part}${how}`,
    status: container
      ? {
          type: "ContainerResource",
          containerResource: { name, container, current },
        }
      : { type: "Resource", resource: { name, current } },
  };
}

function ofPods(
  { metric, target }: NonNullable<MetricSpec["pods"]>,
  about: Target,
): Outcome {
  const samples = about.source.podMetric(about.namespace, metric.name);
  const wanted = milliOf(target.averageValue ?? "0");
  const calculation = calculationOf(about, samples);
  const { replicas, averageMilli } = forAverage(calculation, "", wanted);
  const current = { averageValue: quantityOf(averageMilli) };
  const name = `pods metric ${metric.name}`;
  return {
    replicas,
    name,
    status: { type: "Pods", pods: { metric, current } },
  };
}

function ofObject(
  { metric, target, describedObject }: NonNullable<MetricSpec["object"]>,
  about: Target,
): Outcome {
  const { source, namespace } = about;
  const usage = source.objectMetric(namespace, describedObject, metric.name);
  if (usage === undefined) throw new Error(NO_VALUE);
  const { replicas, current } = byValue(usage, target, about);
  const object = { metric, describedObject, current };
  const { kind } = describedObject;
  const name = `${kind} metric ${metric.name}`;
  return { replicas, name, status: { type: "Object", object } };
}

function ofExternal(
  { metric, target }: NonNullable<MetricSpec["external"]>,
  about: Target,
): Outcome {
  const values = about.source.externalMetric(about.namespace, metric.name);
  if (values.length === 0) throw new Error(NO_VALUE);
  const usage = values.reduce((sum, value) => sum + value, 0);
  const { replicas, current } = byValue(usage, target, about);
  const name = `external metric ${metric.name}`;
  const external = { metric, current };
  return { replicas, name, status: { type: "External", external } };
}

const NO_VALUE = "no metrics returned from the metrics API";

/** For one number that is not any Pod's. */
function byValue(
  usage: number,
  { value, averageValue }: MetricTarget,
  { currentReplicas, pods, tolerance }: Target,
) {
  if (averageValue !== undefined) {
    const wanted = milliOf(averageValue);
    const ratio = usage / (wanted * currentReplicas);
    const stays = isWithin(tolerance, ratio);
    const replicas = stays ? currentReplicas : Math.ceil(usage / wanted);
    const mean = Math.ceil(usage / Math.max(1, currentReplicas));
    return { replicas, current: { averageValue: quantityOf(mean) } };
  }
  const ratio = usage / milliOf(value ?? "0");
  const ready = pods.filter(({ status }) =>
    status?.conditions?.some((c) => c.type === "Ready" && c.status === "True"),
  ).length;
  const stays = isWithin(tolerance ?? DEFAULT_TOLERANCE, ratio);
  const replicas = stays ? currentReplicas : Math.ceil(ratio * ready);
  return { replicas, current: { value: quantityOf(usage) } };
}
