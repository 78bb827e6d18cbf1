/**
 * HorizontalPodAutoscaler: as many Pods as the load asks for.
 * Models: pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go, pkg/apis/autoscaling/v2/defaults.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, num, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { metricsText } from "./hpa-table.ts";
import { autoscalerErrors } from "./hpa-validation.ts";
import type * as types from "./types/policy.ts";

export type * from "./types/policy.ts";
export type HorizontalPodAutoscaler = types.HorizontalPodAutoscaler;

export const autoscalerColumns =
  "Name|Reference|Targets|MinPods|MaxPods|Replicas|Age";

export const HorizontalPodAutoscaler: Kind<HorizontalPodAutoscaler> =
  defineKind<HorizontalPodAutoscaler>({
    group: "autoscaling",
    version: "v2",
    kind: "HorizontalPodAutoscaler",
    shortNames: ["hpa"],
    categories: ["all"],
    emptyStatus: { desiredReplicas: 0, currentMetrics: null },
    hooks: { HorizontalPodAutoscalerSpec: specDefaults },
    columns: columns(autoscalerColumns),
    row: (object, now) => {
      const spec = obj(object.spec);
      const target = obj(spec.scaleTargetRef);
      return {
        cells: [
          object.metadata.name,
          `${str(target.kind)}/${str(target.name)}`,
          metricsText(spec.metrics, at(object, "status", "currentMetrics")),
          spec.minReplicas === undefined
            ? "<unset>"
            : `${num(spec.minReplicas)}`,
          num(spec.maxReplicas),
          num(at(object, "status", "currentReplicas")),
          age(object, now),
        ],
      };
    },
    validate: autoscalerErrors,
  });

const averageCpu: JsonObject = Object.freeze({
  type: "Resource",
  resource: {
    name: "cpu",
    target: { type: "Utilization", averageUtilization: 80 },
  },
});

/** Up: at once, by 4 Pods or double. Down: as far as it likes, after its window. */
const upRules: JsonObject = Object.freeze({
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
});
const downRules: JsonObject = Object.freeze({
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
});

function specDefaults(spec: JsonObject): JsonObject {
  let next = spec;
  if (next.metrics === undefined) next = { ...next, metrics: [averageCpu] };
  if (next.behavior !== undefined) {
    const before = obj(next.behavior);
    const scaleUp = filled(before.scaleUp, upRules);
    const scaleDown = filled(before.scaleDown, downRules);
    if (scaleUp !== before.scaleUp || scaleDown !== before.scaleDown) {
      next = { ...next, behavior: { ...before, scaleUp, scaleDown } };
    }
  }
  return next;
}

function filled(rules: unknown, defaults: JsonObject): JsonObject {
  const given = obj(rules);
  const missing = Object.keys(defaults).some(
    (field) => given[field] === undefined,
  );
  return missing ? { ...defaults, ...given } : given;
}
