/**
 * Event of the core group: something that happened to an object.
 * Models: pkg/registry/core/event/strategy.go, pkg/apis/core/validation/events.go @ v1.36
 */
import { pathSegmentName } from "../names.ts";
import { columns } from "../table.ts";
import { at, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { eventColumns, eventRow, involved } from "./event-rules.ts";
import { eventErrors } from "./event-validation.ts";
import type * as types from "./types/core.ts";

export type { EventSeries, EventSource } from "./types/core.ts";
export type Event = types.Event;

export const Event: Kind<Event> = defineKind<Event>({
  kind: "Event",
  shortNames: ["ev"],
  allowCreateOnUpdate: true,
  selectable: {
    ...involved("involvedObject"),
    reason: (event) => str(event.reason),
    reportingComponent: (event) => str(event.reportingComponent),
    source: (event) =>
      str(at(event, "source", "component")) || str(event.reportingComponent),
    type: (event) => str(event.type),
  },
  columns: columns(eventColumns),
  row: eventRow,
  metaBy: "server",
  nameRule: pathSegmentName,
  validate: eventErrors,
  updateOrder: ["rules"],
});
