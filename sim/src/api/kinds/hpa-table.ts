/**
 * The TARGETS cell of a HorizontalPodAutoscaler.
 * Models: formatHPAMetrics in pkg/printers/internalversion/printers.go @ v1.36
 */
import { some } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, str } from "./access.ts";

const unknown = "<unknown>";
const nil = "<nil>";

export function metricsText(specs: unknown, statuses: unknown): string {
  const current = list(statuses);
  const texts = list(specs).map((spec, i) =>
    metricText(spec, current[i] ?? {}),
  );
  return some(texts, 2, "<none>", ", ");
}

function metricText(spec: JsonObject, status: JsonObject): string {
  switch (spec.type) {
    case "External":
      return averageOrValue(spec.external, status.external);
    case "Object":
      return averageOrValue(spec.object, status.object);
    case "Pods":
      return `${value(status.pods, "averageValue")}/${target(spec.pods, "averageValue")}`;
    case "Resource":
      return `${str(at(spec, "resource", "name"))}: ${resource(spec.resource, status.resource)}`;
    case "ContainerResource": {
      const name = str(at(spec, "containerResource", "name"));
      return `${name}: ${resource(spec.containerResource, status.containerResource)}`;
    }
    default:
      return "<unknown type>";
  }
}

function averageOrValue(spec: unknown, status: unknown): string {
  const average = at(spec, "target", "averageValue");
  if (average === undefined)
    return `${value(status, "value")}/${target(spec, "value")}`;
  const now = str(at(status, "current", "averageValue")) || unknown;
  return `${now}/${str(average)} (avg)`;
}

function resource(spec: unknown, status: unknown): string {
  const average = at(spec, "target", "averageValue");
  if (average !== undefined)
    return `${value(status, "averageValue")}/${str(average)}`;
  const now = at(status, "current", "averageUtilization");
  const wanted = at(spec, "target", "averageUtilization");
  const left = now === undefined ? unknown : `${now}%`;
  return `${left}/${wanted === undefined ? "<auto>" : `${wanted}%`}`;
}

/** A status that has no such amount shows Go's nil. */
function value(status: unknown, field: string): string {
  return status === undefined
    ? unknown
    : str(at(status, "current", field)) || nil;
}

function target(spec: unknown, field: string): string {
  return str(at(spec, "target", field)) || nil;
}
