/**
 * What a metric of a HorizontalPodAutoscaler may say.
 * Models: validateMetricSpec in pkg/apis/autoscaling/validation/validation.go
 *         @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label, pathSegmentName } from "../names.ts";
import { isMore } from "../quantity.ts";
import type { Json, JsonObject } from "../types.ts";
import { at, num, obj, str } from "./access.ts";

const types = ["ContainerResource", "External", "Object", "Pods", "Resource"];

/** In upstream's order: the first of them alone is looked into. */
const sources: readonly {
  readonly field: string;
  readonly check: (source: JsonObject, path: string) => FieldError[];
}[] = [
  { field: "object", check: objectErrors },
  { field: "external", check: externalErrors },
  { field: "pods", check: podsErrors },
  { field: "resource", check: resourceErrors },
  { field: "containerResource", check: containerErrors },
];

export function metricErrors(metric: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = str(metric.type);
  const unknown = notSupported(`${path}.type`, type, types);
  if (!type) {
    errors.push(required(`${path}.type`, "must specify a metric source type"));
  }
  if (!types.includes(type)) errors.push(unknown);
  const given = sources.filter(({ field }) => metric[field] !== undefined);
  const [first] = given;
  if (first) {
    const { field, check } = first;
    errors.push(...check(obj(metric[field]), `${path}.${field}`));
  }
  const expected = type.charAt(0).toLowerCase() + type.slice(1);
  if (!types.includes(type)) errors.push(unknown);
  else if (metric[expected] === undefined) {
    const rule = "must populate information for the given metric source";
    errors.push(required(`${path}.${expected}`, rule));
  }
  if (given.length === 1) return errors;
  const rule = "must populate the given metric source only";
  const others = given.filter(({ field }) => field !== expected);
  return [
    ...errors,
    ...others.map(({ field }) => forbidden(`${path}.${field}`, rule)),
  ];
}

/** Kind and name of an object, each as it stands in a path. */
export function referenceErrors(ref: JsonObject, path: string): FieldError[] {
  return [
    ...segmentErrors(ref.kind, `${path}.kind`, ""),
    ...segmentErrors(ref.name, `${path}.name`, ""),
  ];
}

function segmentErrors(value: Json, path: string, rule: string): FieldError[] {
  const text = str(value);
  if (!text) return [required(path, rule)];
  return pathSegmentName(text).map((why) => invalid(path, text, why));
}

function objectErrors(source: JsonObject, path: string): FieldError[] {
  const { value, averageValue } = obj(source.target);
  const errors = [
    ...referenceErrors(obj(source.describedObject), `${path}.describedObject`),
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
  ];
  if (value === undefined && averageValue === undefined) {
    const rule = "must set either a target value or averageValue";
    errors.push(required(`${path}.target.averageValue`, rule));
  }
  return errors;
}

function externalErrors(source: JsonObject, path: string): FieldError[] {
  const { value, averageValue } = obj(source.target);
  const both = "a target value for metric";
  const errors = [
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
  ];
  if (value === undefined && averageValue === undefined) {
    const rule = `must set either ${both} or a per-pod target`;
    errors.push(required(`${path}.target.averageValue`, rule));
  }
  if (value !== undefined && averageValue !== undefined) {
    const rule = `may not set both ${both} and a per-pod target`;
    errors.push(forbidden(`${path}.target.value`, rule));
  }
  return errors;
}

function podsErrors(source: JsonObject, path: string): FieldError[] {
  const errors = [
    ...metricNameErrors(source, path),
    ...targetErrors(source, path),
  ];
  if (obj(source.target).averageValue === undefined) {
    const rule = "must specify a positive target averageValue";
    errors.push(required(`${path}.target.averageValue`, rule));
  }
  return errors;
}

function resourceErrors(source: JsonObject, path: string): FieldError[] {
  return [...resourceNameErrors(source, path), ...amountErrors(source, path)];
}

function containerErrors(source: JsonObject, path: string): FieldError[] {
  const errors = resourceNameErrors(source, path);
  const container = str(source.container);
  if (!container) {
    errors.push(required(`${path}.container`, "must specify a container"));
  }
  for (const why of container ? dns1123Label(container) : []) {
    errors.push(invalid(`${path}.container`, container, why));
  }
  return [...errors, ...amountErrors(source, path)];
}

function resourceNameErrors(source: JsonObject, path: string): FieldError[] {
  if (source.name) return [];
  return [required(`${path}.name`, "must specify a resource name")];
}

/** Of a resource: in percent of the requests, or as a mean. */
function amountErrors(source: JsonObject, path: string): FieldError[] {
  const { averageUtilization, averageValue } = obj(source.target);
  const errors = targetErrors(source, path);
  if (averageUtilization === undefined && averageValue === undefined) {
    const rule = "must set either a target raw value or a target utilization";
    errors.push(required(`${path}.target.averageUtilization`, rule));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const rule = "may not set both a target raw value and a target utilization";
    errors.push(forbidden(`${path}.target.averageValue`, rule));
  }
  return errors;
}

function metricNameErrors(source: JsonObject, path: string): FieldError[] {
  const name = at(source, "metric", "name");
  const rule = "must specify a metric name";
  return segmentErrors(name, `${path}.metric.name`, rule);
}

const targetTypes = ["Utilization", "Value", "AverageValue"];

function targetErrors(source: JsonObject, path: string): FieldError[] {
  const target = obj(source.target);
  const type = str(target.type);
  const errors: FieldError[] = [];
  const here = `${path}.target`;
  if (!type) {
    errors.push(required(`${here}.type`, "must specify a metric target type"));
  }
  if (!targetTypes.includes(type)) {
    const rule = "must be either Utilization, Value, or AverageValue";
    errors.push(invalid(`${here}.type`, type, rule));
  }
  for (const field of ["value", "averageValue"]) {
    const amount = target[field];
    if (amount === undefined || isMore(str(amount), "0")) continue;
    errors.push(invalid(`${here}.${field}`, amount, "must be positive"));
  }
  const { averageUtilization: percent } = target;
  if (percent !== undefined && num(percent) < 1) {
    const rule = "must be greater than 0";
    errors.push(invalid(`${here}.averageUtilization`, percent, rule));
  }
  return errors;
}
