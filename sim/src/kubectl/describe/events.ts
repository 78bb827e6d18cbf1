/**
 * Events of an object, oldest first.
 * Models:     kubectl/pkg/describe/describe.go (DescribeEvents),
 *             kubectl/pkg/util/event/sorted_event_list.go @ v1.36
 */
import { at, num, obj, str } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { Event } from "../../api/kinds/event.ts";
import type { JsonObject } from "../../api/types.ts";
import type { Environment } from "../environment.ts";
import { itemsOf, jsonOf } from "../objects.ts";
import { ago } from "../time.ts";
import type { Writer } from "./writer.ts";

/** Asks for the Events; `uid` where it is not the object's own. */
export async function eventsOf(
  env: Environment,
  kind: Kind,
  object: Obj,
  uid = object.metadata.uid ?? "",
): Promise<readonly JsonObject[]> {
  const { name, namespace = "" } = object.metadata;
  const terms = [
    `involvedObject.name=${name}`,
    `involvedObject.namespace=${namespace}`,
    `involvedObject.kind=${kind.kind}`,
    `involvedObject.uid=${uid}`,
  ];
  const fieldSelector = terms.join(",");
  const list = await env.client.list(Event, namespace, { fieldSelector });
  return itemsOf(list).map(jsonOf);
}

export function writeEvents(
  w: Writer,
  events: readonly JsonObject[],
  env: Environment,
): void {
  if (events.length === 0) return w.line(0, "Events:\t<none>");
  const last = (event: JsonObject) => str(event.lastTimestamp);
  const sorted = events.toSorted((a, b) =>
    last(a) < last(b) ? -1 : last(a) > last(b) ? 1 : 0,
  );
  w.line(0, "Events:");
  w.line(1, "Type\tReason\tAge\tFrom\tMessage");
  w.line(1, "----\t------\t----\t----\t-------");
  for (const event of sorted) {
    const { type, reason, message, source, reportingComponent } = event;
    const from = str(at(source, "component")) || str(reportingComponent);
    const { fieldPath } = obj(event.involvedObject);
    const part = fieldPath ? `${fieldPath}: ` : "";
    const text = part + str(message).trim();
    w.line(1, `${type}\t${reason}\t${agesOf(event, env)}\t${from}\t${text}`);
  }
}

/** `5s`, or `5s (x3 over 2m)` if it happened more than once. */
function agesOf(event: JsonObject, env: Environment): string {
  const { eventTime, firstTimestamp, lastTimestamp, count } = event;
  const first = ago(eventTime ?? firstTimestamp, env);
  if (event.series) {
    const { lastObservedTime, count: times } = obj(event.series);
    return `${ago(lastObservedTime, env)} (x${num(times)} over ${first})`;
  }
  if (num(count) > 1) {
    return `${ago(lastTimestamp, env)} (x${num(count)} over ${first})`;
  }
  return first;
}
