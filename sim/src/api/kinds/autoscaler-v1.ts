/**
 * HorizontalPodAutoscaler as autoscaling/v1 says it: one target for the CPU.
 * What that version has no field for travels in annotations, so that who
 * reads an object and writes it back loses nothing. Stored is v2.
 * Models: pkg/apis/autoscaling/{annotations,helpers}.go,
 *         pkg/apis/autoscaling/v1/{conversion,defaults}.go @ v1.36
 */
import { goJson } from "../go-text.ts";
import { columns } from "../table.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { list, obj, str } from "./access.ts";
import {
  behaviorOf,
  behaviorText,
  sourceOfV1,
  sourceOfV2,
} from "./autoscaler-v1-parts.ts";
import { defineKind, fieldsOf } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import {
  autoscalerColumns,
  HorizontalPodAutoscaler,
} from "./horizontalpodautoscaler.ts";
import { autoscalerErrors } from "./hpa-validation.ts";

export const HorizontalPodAutoscalerV1: Kind = defineKind({
  group: "autoscaling",
  kind: "HorizontalPodAutoscaler",
  struct: "HorizontalPodAutoscalerV1",
  shortNames: ["hpa"],
  categories: ["all"],
  emptyStatus: { currentReplicas: 0, desiredReplicas: 0 },
  columns: columns(autoscalerColumns),
  row: (object, now) => HorizontalPodAutoscaler.row(newer(object), now),
  validate: (object) => autoscalerErrors(newer(object)),
  storedAs: {
    kind: HorizontalPodAutoscaler,
    from: older,
    to: newer,
  },
});

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const CURRENT = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const OWN = [METRICS, CURRENT, CONDITIONS, BEHAVIOR];
const DEFAULT_UTILIZATION = 80;

/** From v2, the version that is stored. */
function older(stored: KubeObject): KubeObject {
  const { spec, status, ...object } = fieldsOf(stored);
  const { behavior, metrics, minReplicas, ...kept } = obj(spec);
  const { conditions, currentMetrics, ...seen } = obj(status);
  const others = list(metrics).filter((metric) => !isCpu(metric));
  const utilization = obj(obj(cpuOf(list(metrics)).resource).target);
  const current = obj(obj(cpuOf(list(currentMetrics)).resource).current);
  const annotations = {
    ...annotation(METRICS, listText(others, "target")),
    ...annotation(CURRENT, listText(list(currentMetrics), "current")),
    ...annotation(BEHAVIOR, behavior && behaviorText(obj(behavior))),
    ...annotation(CONDITIONS, conditionsText(list(conditions))),
  };
  return {
    ...withAnnotations(object, annotations),
    apiVersion: "autoscaling/v1",
    spec: {
      ...kept,
      ...some("minReplicas", minReplicas),
      ...some("targetCPUUtilizationPercentage", utilization.averageUtilization),
    },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...seen,
      ...some("currentCPUUtilizationPercentage", current.averageUtilization),
    },
  } as KubeObject;
}

/** To v2. */
function newer(object: KubeObject): Obj {
  const { spec, status, ...rest } = fieldsOf(object);
  const { targetCPUUtilizationPercentage: target, ...kept } = obj(spec);
  const { currentCPUUtilizationPercentage: cpu, ...seen } = obj(status);
  const texts = rest.metadata.annotations ?? {};
  const own = target === undefined ? [] : [cpuMetric("target", target)];
  const metrics = [...listOf(texts[METRICS], "target"), ...own];
  const first = cpu === undefined ? [] : [cpuMetric("current", cpu)];
  const told = listOf(texts[CURRENT], "current");
  const currentMetrics = told.length > 0 ? told : first;
  const conditions = list(parsed(texts[CONDITIONS]));
  const { currentReplicas, ...counts } = seen;
  return {
    ...withAnnotations(rest as Obj, {}),
    apiVersion: "autoscaling/v2",
    spec: {
      ...kept,
      metrics:
        metrics.length > 0
          ? metrics
          : [cpuMetric("target", DEFAULT_UTILIZATION)],
      ...some("behavior", behaviorOf(obj(parsed(texts[BEHAVIOR])))),
    },
    status: {
      desiredReplicas: 0,
      ...counts,
      ...(currentReplicas ? { currentReplicas } : {}),
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  } as Obj;
}

function isCpu(metric: JsonObject): boolean {
  const { name, target, current } = obj(metric.resource);
  const { averageUtilization } = obj(target ?? current);
  const isOfCpu = str(metric.type) === "Resource" && str(name) === "cpu";
  return isOfCpu && averageUtilization !== undefined;
}

function cpuOf(metrics: readonly JsonObject[]): JsonObject {
  return metrics.find(isCpu) ?? {};
}

function cpuMetric(word: "target" | "current", averageUtilization: Json) {
  const type = word === "target" ? { type: "Utilization" } : {};
  const resource = { name: "cpu", [word]: { ...type, averageUtilization } };
  return { type: "Resource", resource };
}

/** "" for none. */
function listText(
  metrics: readonly JsonObject[],
  word: "target" | "current",
): string {
  if (metrics.length === 0) return "";
  return goJson(metrics.map((metric) => sourceOfV2(metric, word)));
}

function listOf(text: string | undefined, word: "target" | "current") {
  return list(parsed(text)).map((metric) => sourceOfV1(metric, word));
}

function conditionsText(conditions: readonly JsonObject[]): string {
  if (conditions.length === 0) return "";
  const ordered = conditions.map((condition) => {
    const { type, status, lastTransitionTime, reason, message } = condition;
    return { type, status, lastTransitionTime, reason, message };
  });
  return goJson(ordered);
}

/** What cannot be read counts as not being there. */
function parsed(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

function annotation(name: string, text: unknown): { [name: string]: string } {
  return text ? { [name]: String(text) } : {};
}

function some(name: string, value: unknown): { [name: string]: unknown } {
  return value === undefined ? {} : { [name]: value };
}

/** With these, and none that an earlier conversion wrote. */
function withAnnotations(
  object: Obj,
  added: { readonly [name: string]: string },
): Obj {
  const { annotations: before = {}, ...metadata } = object.metadata;
  const kept = Object.entries(before).filter(([name]) => !OWN.includes(name));
  const annotations = { ...Object.fromEntries(kept), ...added };
  const own = Object.keys(annotations).length > 0 ? { annotations } : {};
  return { ...object, metadata: { ...metadata, ...own } };
}
