/**
 * What both kinds of Event share.
 * Models: pkg/apis/core/validation/events.go, pkg/printers/internalversion/printers.go @ v1.36
 */
import { since, type TableRow } from "../table.ts";
import { at, num, obj, str } from "./access.ts";
import type { Obj, Selectable } from "./definition.ts";

export const eventColumns =
  "Last Seen|Type|Reason|Object|Subobject+|Source+|Message|First Seen+|Count+|Name+";

export function eventRow(event: Obj, now: number): TableRow {
  const { kind, name, fieldPath } = obj(event.involvedObject);
  const first = since(event.firstTimestamp ?? event.eventTime, now);
  const series = obj(event.series);
  let last = event.lastTimestamp ? since(event.lastTimestamp, now) : first;
  if (event.series) last = since(series.lastObservedTime, now);
  const count = event.series ? num(series.count) : num(event.count) || 1;
  return {
    cells: [
      last,
      str(event.type),
      str(event.reason),
      str(kind).toLowerCase() + (name ? `/${str(name)}` : ""),
      str(fieldPath),
      sourceText(event),
      str(event.message).trim(),
      first,
      count,
      event.metadata.name,
    ],
  };
}

function sourceText(event: Obj): string {
  const component =
    str(at(event, "source", "component")) || str(event.reportingComponent);
  const host = str(at(event, "source", "host")) || str(event.reportingInstance);
  return host ? `${component}, ${host}` : component;
}

/** Field selectors on the object that an Event is about. */
export function involved(field: string): Selectable {
  const names = [
    ...[
      "kind",
      "namespace",
      "name",
      "uid",
      "apiVersion",
      "resourceVersion",
      "fieldPath",
    ],
  ];
  return Object.fromEntries(
    names.map((name) => [
      `${field}.${name}`,
      (event: Obj) => str(at(event, field, name)),
    ]),
  );
}
