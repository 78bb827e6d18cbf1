/**
 * How a claim becomes a mounted disk, from the trace of a run: what is written
 * through the API server on the way, the calls of the driver, and what the
 * driver did in each. What only tells of progress is left out.
 */
import type { TraceEntry, WriteDetail } from "@shikumi/sim";
import type { CallRow } from "../calls/row.ts";
import { textOf } from "../calls/text.ts";

export type Lane = "control" | "sidecar" | "kubelet" | "driver";

type Found = Pick<CallRow, "text" | "detail"> & { begins?: boolean };

const SELECTED = "volume.kubernetes.io/selected-node";

export function csiCallsOf(entries: readonly TraceEntry[]): CallRow[] {
  const rows: CallRow[] = [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const seen = new Set<string>();
  let firstMs: number | undefined;
  let step = 0;
  for (const entry of entries) {
    const found = rowIn(entry, seen);
    if (!found) continue;
    firstMs ??= entry.atMs;
    const { begins, ...row } = found;
    const from = laneOf(entry.verb === "write" ? writerOf(entry, byId) : entry.actor);
    const to = entry.verb === "csi" ? "driver" : from;
    const common = { from, to, afterMs: entry.atMs - firstMs, isAnswer: false };
    rows.push({ ...row, ...common, ...(begins ? { step: ++step } : {}) });
  }
  return rows;
}

function rowIn(entry: TraceEntry, seen: Set<string>): Found | undefined {
  const { verb, subject, detail } = entry;
  if (verb === "disk") return { text: subject };
  if (verb === "csi") {
    const { request } = detail as { request: object };
    // The second of two equal calls begins nothing.
    const begins = !seen.has(subject);
    seen.add(subject);
    return { text: subject, detail: textOf(request), begins };
  }
  return verb === "write" ? writeIn(detail as WriteDetail) : undefined;
}

/** The writes that hand the work on; all others only tell. */
function writeIn({ type, before, after }: WriteDetail): Found | undefined {
  if (!after) return undefined;
  const { kind, metadata } = after;
  const node = metadata.annotations?.[SELECTED];
  if (kind === "PersistentVolumeClaim" && node && !before?.metadata.annotations?.[SELECTED]) {
    return { text: "selected-node", detail: textOf({ [SELECTED]: node }), begins: true };
  }
  if (kind === "PersistentVolume" && type === "ADDED") {
    return { text: kind, detail: textOf(partOf(after, "spec", "csi")) };
  }
  if (kind !== "VolumeAttachment") return undefined;
  if (type === "ADDED") return { text: kind, detail: textOf(partOf(after, "spec")), begins: true };
  const isAttached = (object: unknown) => partOf(object, "status", "attached") === true;
  if (!isAttached(after) || isAttached(before)) return undefined;
  return { text: "attached: true", detail: textOf(partOf(after, "status")) };
}

/** The value at a path; undefined where there is none. */
function partOf(object: unknown, ...path: string[]): unknown {
  let value = object as Record<string, unknown> | undefined;
  for (const name of path) value = value?.[name] as Record<string, unknown> | undefined;
  return value;
}

/** Who asked for the write: the actor of the request that it came of. */
function writerOf(write: TraceEntry, byId: ReadonlyMap<number, TraceEntry>): string {
  const cause = byId.get(write.causeId);
  if (!cause) return write.actor;
  return cause.verb === "request" ? cause.actor : writerOf(cause, byId);
}

function laneOf(actor: string): Lane {
  if (actor.startsWith("csi/")) return "driver";
  if (actor.startsWith("csi-")) return "sidecar";
  return actor.startsWith("kubelet/") ? "kubelet" : "control";
}
