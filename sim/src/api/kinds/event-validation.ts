/**
 * What an Event may say. Of the core group's own, little is asked; those that
 * come as events.k8s.io are to be whole, and change in their series alone.
 * Models: pkg/apis/core/validation/events.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { dns1123Subdomain, labelKey } from "../names.ts";
import { at, num, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { finalizerNames, validateMeta } from "./metadata.ts";

const lettersMax = 128;
const messageMax = 1024;

export function eventErrors(
  event: Obj,
  controller = "reportingComponent",
): FieldError[] {
  const { namespace = "" } = event.metadata;
  const errors = placeErrors(event, namespace);
  if (event.eventTime) errors.push(...reportErrors(event, controller));
  for (const text of dns1123Subdomain(namespace))
    errors.push(invalid("namespace", namespace, text));
  return errors;
}

/** An Event lives in its object's Namespace, or in `default`. */
function placeErrors(event: Obj, namespace: string): FieldError[] {
  const about = str(at(event, "involvedObject", "namespace"));
  const home = namespace === "default";
  const fits = event.eventTime
    ? about || home || namespace === "kube-system"
    : about
      ? about === namespace
      : home || !namespace;
  const rule = "does not match event.namespace";
  return fits ? [] : [invalid("involvedObject.namespace", about, rule)];
}

/** Those with a time of their own say who reports, and what was done. */
function reportErrors(event: Obj, controller: string): FieldError[] {
  const by = str(event.reportingComponent);
  const long = (field: string, max: number) =>
    str(event[field]).length > max
      ? [invalid(field, "", `can have at most ${max} characters`)]
      : [];
  const errors = by ? [] : [required(controller)];
  for (const text of labelKey(by)) errors.push(invalid(controller, by, text));
  for (const field of ["reportingInstance", "action", "reason"]) {
    if (!event[field]) errors.push(required(field));
    errors.push(...long(field, lettersMax));
  }
  return [...errors, ...long("message", messageMax)];
}

/** Fields of old that a new Event leaves out. */
const unset = ["firstTimestamp", "lastTimestamp", "count", "source"];

export function newEventErrors(event: Obj): FieldError[] {
  const { metadata, type } = event;
  const isSet = (field: string) =>
    field === "source"
      ? Object.values(obj(event.source)).some(Boolean)
      : Boolean(event[field]);
  return [
    ...validateMeta(metadata, true, dns1123Subdomain),
    ...finalizerNames(metadata.finalizers ?? []),
    ...seriesErrors(event),
    ...(event.eventTime ? [] : [required("eventTime")]),
    ...(type === "Normal" || type === "Warning"
      ? []
      : [invalid("type", "", `has invalid value: ${str(type)}`)]),
    ...unset
      .filter(isSet)
      .map((field) => invalid(field, "", "needs to be unset")),
  ];
}

function seriesErrors({ series }: Obj): FieldError[] {
  if (!series) return [];
  const { count, lastObservedTime } = obj(series);
  return [
    ...(num(count) < 2
      ? [invalid("series.count", "", "should be at least 2")]
      : []),
    ...(lastObservedTime ? [] : [required("series.lastObservedTime")]),
  ];
}

const fixed = [
  ...["involvedObject", "reason", "message", "source", "firstTimestamp"],
  ...["lastTimestamp", "count", "reason", "type", "eventTime", "action"],
  ...["related", "reportingComponent", "reportingInstance"],
];

export function eventChange(event: Obj, old: Obj): FieldError[] {
  const series = same(event.series, old.series) ? [] : seriesErrors(event);
  const changed = fixed
    .filter((field) => !same(event[field], old[field]))
    .map((field) => {
      const shown =
        field === "reportingComponent" ? "reportingController" : field;
      return invalid(shown, event[field] ?? null, "field is immutable");
    });
  return [...series, ...changed];
}
