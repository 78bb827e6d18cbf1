/**
 * kubectl describe horizontalpodautoscaler.
 * Models:     kubectl/pkg/describe/describe.go
 *             (describeHorizontalPodAutoscalerV2) @ v1.36
 */
import { at, list, num, obj, str } from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import {
  type Describer,
  type Subject,
  writeCreated,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";
import type { Writer } from "./writer.ts";

export const describeAutoscaler: Describer = async (subject) => {
  const { w, spec, status } = subject;
  const { kind, name } = obj(spec.scaleTargetRef);
  writeName(subject);
  writeLabelsOf(subject);
  writeCreated(subject);
  w.field(0, "Reference", `${kind}/${name}`);
  w.field(0, "Metrics", "( current / target )");
  const current = list(status.currentMetrics);
  for (const [i, metric] of list(spec.metrics).entries())
    w.line(1, metricText(metric, current[i]));
  w.field(0, "Min replicas", spec.minReplicas ?? "<unset>");
  w.field(0, "Max replicas", num(spec.maxReplicas));
  if (spec.behavior) {
    w.line(0, "Behavior:");
    writeBehavior(w, "Scale Up", at(spec.behavior, "scaleUp"));
    writeBehavior(w, "Scale Down", at(spec.behavior, "scaleDown"));
  }
  const [now, wanted] = [num(status.currentReplicas), status.desiredReplicas];
  w.field(0, `${kind} pods`, `${now} current / ${num(wanted)} desired`);
  writeConditions(subject);
  await writeEventsOf(subject);
};

/** `resource cpu on pods:\t10m / 20m`: what is measured, and against what. */
function metricText(metric: JsonObject, now: JsonObject | undefined): string {
  const type = str(metric.type);
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  const source = obj(metric[field]);
  const value = obj(at(now, field, "current"));
  const target = obj(source.target);
  const name = `"${at(source.metric, "name")}"`;
  const average = `${value.averageValue ?? "<unknown>"} / ${target.averageValue}`;
  switch (type) {
    case "Resource":
    case "ContainerResource":
      return resourceText(source, target, value, average);
    case "Pods":
      return `${name} on pods:\t${average}`;
    case "Object":
    case "External": {
      const { kind, name: of } = obj(source.describedObject);
      const head = type === "Object" ? `${name} on ${kind}/${of}` : name;
      if (target.averageValue !== undefined)
        return `${head} (target average value):\t${average}`;
      const found = value.value ?? (now?.[field] ? "0" : "<unknown>");
      return `${head} (target value):\t${found} / ${target.value}`;
    }
  }
  return `<unknown metric type "${type}">`;
}

function resourceText(
  { name, container }: JsonObject,
  target: JsonObject,
  value: JsonObject,
  average: string,
): string {
  const whose = container ? ` of container "${container}"` : "";
  const head = `resource ${name}${whose} on pods`;
  if (target.averageValue !== undefined) return `${head}:\t${average}`;
  const { averageUtilization: used, averageValue } = value;
  const now = used === undefined ? "<unknown>" : `${used}% (${averageValue})`;
  const wanted = target.averageUtilization;
  const aim = wanted === undefined ? "<auto>" : `${wanted}%`;
  return `${head}  (as a percentage of request):\t${now} / ${aim}`;
}

function writeBehavior(w: Writer, title: string, rules: Json): void {
  if (!rules) return;
  const { stabilizationWindowSeconds, selectPolicy, policies } = obj(rules);
  w.line(1, `${title}:`);
  if (stabilizationWindowSeconds !== undefined)
    w.line(2, `Stabilization Window: ${stabilizationWindowSeconds} seconds`);
  const all = list(policies);
  if (all.length === 0) return;
  w.line(2, `Select Policy: ${selectPolicy ?? "Max"}`);
  w.line(2, "Policies:");
  for (const { type, value, periodSeconds } of all)
    w.line(
      3,
      `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`,
    );
}

function writeConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(1, "Type\tStatus\tReason\tMessage");
  w.line(1, "----\t------\t------\t-------");
  for (const { type, status: is, reason, message } of conditions)
    w.line(1, `${type}\t${is}\t${str(reason)}\t${str(message)}`);
}
