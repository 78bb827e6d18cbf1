/** What a describer is given, and the lines that many of them begin with. */
import { list, map, obj } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { labelSelector } from "../../api/selector.ts";
import { controllerOf, type JsonObject } from "../../api/types.ts";
import type { Environment } from "../environment.ts";
import { longTime } from "../time.ts";
import { eventsOf, writeEvents } from "./events.ts";
import { type Writer, writeAnnotations, writeLabels } from "./writer.ts";

export interface Subject {
  readonly env: Environment;
  readonly kind: Kind;
  readonly object: Obj;
  readonly spec: JsonObject;
  readonly status: JsonObject;
  readonly w: Writer;
  /** `--show-events=false` leaves them out. */
  readonly showEvents: boolean;
}

export type Describer = (subject: Subject) => Promise<void>;

export function writeName({ w, object }: Subject): void {
  w.field(0, "Name", object.metadata.name);
  const { namespace } = object.metadata;
  if (namespace) w.field(0, "Namespace", namespace);
}

export function writeLabelsOf({ w, object }: Subject): void {
  writeLabels(w, "Labels", object.metadata.labels);
  writeAnnotations(w, "Annotations", object.metadata.annotations);
}

export function writeCreated({ w, object }: Subject): void {
  const time = longTime(object.metadata.creationTimestamp);
  w.field(0, "CreationTimestamp", time);
}

export function writeController({ w, object }: Subject): void {
  const owner = controllerOf(object);
  if (owner) w.field(0, "Controlled By", `${owner.kind}/${owner.name}`);
}

export async function writeEventsOf(subject: Subject): Promise<void> {
  const { env, kind, object, w, showEvents } = subject;
  if (showEvents) writeEvents(w, await eventsOf(env, kind, object), env);
}

/** `Conditions:` with type, status and reason. */
export function writeConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(1, "Type\tStatus\tReason");
  w.line(1, "----\t------\t------");
  for (const { type, status: is, reason } of conditions)
    w.line(1, `${type} \t${is}\t${reason ?? ""}`);
}

/** `Conditions:` with when they changed, and why. */
export function writeTimedConditions({ w, status }: Subject): void {
  const conditions = list(status.conditions);
  if (conditions.length === 0) return;
  w.line(0, "Conditions:");
  w.line(1, "Type\tStatus\tLastTransitionTime\tReason\tMessage");
  w.line(1, "----\t------\t------------------\t------\t-------");
  for (const { type, status: is, reason, message, ...rest } of conditions) {
    const since = longTime(rest.lastTransitionTime);
    w.line(1, `${type}\t${is}\t${since}\t${reason ?? ""}\t${message ?? ""}`);
  }
}

/** A label selector as describe prints it; "" of none at all. */
export function selectorOf({ spec }: Subject): string {
  return labelSelector(spec.selector as never).toString();
}

/** `a=b,c=d`; `<none>` of nothing. */
export function pairs(value: unknown): string {
  const all = Object.entries(map(value)).map(([key, one]) => `${key}=${one}`);
  return all.toSorted().join(",") || "<none>";
}

/** `3 Running / 0 Waiting / 0 Succeeded / 0 Failed`, of the Pods it owns. */
export async function writePodsStatus(subject: Subject): Promise<void> {
  const { env, object, w } = subject;
  const { namespace = "", uid } = object.metadata;
  const labelSelector = selectorOf(subject);
  const pods = await env.client.list(Pod, namespace, { labelSelector });
  const counts: { [phase: string]: number } = {};
  for (const pod of pods.items) {
    if (controllerOf(pod)?.uid !== uid) continue;
    const phase = String(obj(pod.status).phase ?? "");
    counts[phase] = (counts[phase] ?? 0) + 1;
  }
  const { Running = 0, Pending = 0, Succeeded = 0, Failed = 0 } = counts;
  w.line(
    0,
    `Pods Status:\t${Running} Running / ${Pending} Waiting / ` +
      `${Succeeded} Succeeded / ${Failed} Failed`,
  );
}
