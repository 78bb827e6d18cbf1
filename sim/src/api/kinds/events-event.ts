/**
 * Event of events.k8s.io: the same objects as the core group's, in other words.
 * Models: pkg/registry/core/event/strategy.go, pkg/apis/core/v1/conversion.go @ v1.36
 */
import { pathSegmentName } from "../names.ts";
import { columns } from "../table.ts";
import { str } from "./access.ts";
import { defineKind, fieldsOf } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { Event } from "./event.ts";
import { eventColumns, eventRow, involved } from "./event-rules.ts";
import {
  eventChange,
  eventErrors,
  newEventErrors,
} from "./event-validation.ts";
import type * as types from "./types/service.ts";

export type EventsEvent = types.EventsEvent;

export const EventsEvent: Kind<EventsEvent> = defineKind<EventsEvent>({
  group: "events.k8s.io",
  kind: "Event",
  struct: "EventsEvent",
  shortNames: ["ev"],
  allowCreateOnUpdate: true,
  selectable: {
    ...involved("regarding"),
    reason: (event) => str(event.reason),
    reportingController: (event) => str(event.reportingController),
    type: (event) => str(event.type),
  },
  columns: columns(eventColumns),
  row: (event, now) => eventRow(core(event), now),
  metaBy: "server",
  nameRule: pathSegmentName,
  validate: (event) => eventErrors(core(event), "reportingController"),
  validateNew: (event) => newEventErrors(core(event)),
  validateChange: (event, old) => eventChange(core(event), core(old)),
  updateOrder: ["rules", "metaChange", "change"],
  storedAs: {
    kind: Event,
    from: fromCoreEvent,
    to: core,
  },
});

function core(event: Obj): Obj {
  return fieldsOf(toCoreEvent(event));
}

/** Field names here, and in the core group. All others are the same. */
const names: readonly (readonly [string, string])[] = [
  ["deprecatedCount", "count"],
  ["deprecatedFirstTimestamp", "firstTimestamp"],
  ["deprecatedLastTimestamp", "lastTimestamp"],
  ["deprecatedSource", "source"],
  ["note", "message"],
  ["regarding", "involvedObject"],
  ["reportingController", "reportingComponent"],
];

export function toCoreEvent(event: Obj): Event {
  return renamed(event, new Map(names), "v1") as Obj & Event;
}

export function fromCoreEvent(event: Event): EventsEvent {
  const back = new Map(names.map(([here, core]) => [core, here] as const));
  return renamed(fieldsOf(event), back, "events.k8s.io/v1") as Obj &
    EventsEvent;
}

function renamed(
  event: Obj,
  to: ReadonlyMap<string, string>,
  apiVersion: string,
): Obj {
  const fields = Object.entries(event).map(([name, value]) => [
    to.get(name) ?? name,
    value,
  ]);
  return { ...Object.fromEntries(fields), apiVersion };
}
