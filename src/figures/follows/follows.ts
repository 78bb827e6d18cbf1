/**
 * What one object asks for, and what another does about it, over time: from
 * the writes of a run.
 */
import type { TraceEntry } from "@shikumi/sim";

/** As many replicas, from a moment to another. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly replicas: number;
}

interface Written {
  readonly after?: { readonly spec?: { readonly replicas?: number } };
}

/** The replicas that an object wanted, such as `Deployment default/shop`, until `endMs`. */
export function spansOf(entries: readonly TraceEntry[], object: string, endMs: number): Span[] {
  const spans: Span[] = [];
  let open: Omit<Span, "toMs"> | undefined;
  const close = (toMs: number) => {
    if (open) spans.push({ ...open, toMs });
    open = undefined;
  };
  for (const { verb, subject, atMs, detail } of entries) {
    if (verb !== "write" || subject !== object) continue;
    const replicas = (detail as Written).after?.spec?.replicas;
    if (replicas === open?.replicas) continue;
    close(atMs);
    if (replicas !== undefined) open = { fromMs: atMs, replicas };
  }
  close(endMs);
  return spans;
}

/** When an actor was stopped, and until when. */
export function stopsOf(entries: readonly TraceEntry[], actor: string): Omit<Span, "replicas">[] {
  const stops: { fromMs: number; toMs: number }[] = [];
  let fromMs: number | undefined;
  for (const { verb, subject, atMs } of entries) {
    if (verb !== "input") continue;
    if (subject === `stop ${actor}`) fromMs = atMs;
    if (subject !== `start ${actor}` || fromMs === undefined) continue;
    stops.push({ fromMs, toMs: atMs });
    fromMs = undefined;
  }
  return stops;
}
