/**
 * Rows: trace entries as a page receives them. Objects become summaries;
 * the rest of an entry's detail stays in the run and is asked for by id.
 */
import type {
  ResponseDetail,
  StageDetail,
  WriteDetail,
} from "../api/transport.ts";
import type { TraceEntry } from "../kernel/index.ts";
import { type ObjectSummary, summaryOf } from "./summary.ts";

/** A trace entry as a page has it. */
export interface Row extends Omit<TraceEntry, "detail"> {
  /** Of a write: the object after it (before it, if it was deleted). */
  readonly object?: ObjectSummary;
  /** Of a write. */
  readonly type?: "ADDED" | "MODIFIED" | "DELETED";
  /** Of a response: the HTTP status code. */
  readonly code?: number;
}

/** The row of an entry. */
export function rowOf(entry: TraceEntry): Row {
  const { id, atMs, actor, verb, subject, target, causeId, detail } = entry;
  const row = { id, atMs, actor, verb, subject, target, causeId };
  if (verb === "write" && detail) {
    const { type, before, after } = detail as WriteDetail;
    return { ...row, type, object: summaryOf((after ?? before)!) };
  }
  if (verb === "response" && detail) {
    return { ...row, code: (detail as ResponseDetail).code };
  }
  if (STAGES.has(verb) && detail) {
    const { verdict, by, message } = detail as StageDetail;
    const parts = [verdict, by, verdict === "deny" ? message : ""];
    return { ...row, subject: parts.filter(Boolean).join(": ") };
  }
  return row;
}

/** Verbs of what the API server does with a request, stage by stage. */
export const STAGES: ReadonlySet<string> = new Set([
  "authenticate",
  "authorize",
  "mutate",
  "validate",
  "admit",
]);

/** `Pod default/web-x`: names an object in a run. */
export function objectId(object: ObjectSummary): string {
  const { kind, namespace, name } = object;
  return namespace ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}

/** All objects as they were just after entry `uptoId`, by `objectId`. */
export function objectsAt(
  rows: readonly Row[],
  uptoId: number,
): Map<string, ObjectSummary> {
  const objects = new Map<string, ObjectSummary>();
  for (const row of rows) {
    if (row.id > uptoId) break;
    applyRow(objects, row);
  }
  return objects;
}

/** Brings `objects`, kept by `objectId`, from just before a row to just after. */
export function applyRow(
  objects: Map<string, ObjectSummary>,
  { object, type }: Row,
): void {
  if (!object) return;
  if (type === "DELETED") objects.delete(objectId(object));
  else objects.set(objectId(object), object);
}
