/**
 * Pods of a rollout over time, from the rows of a run: how many of each
 * version are ready, and how many are not ready yet. Pods that are being
 * deleted are left out, as the Deployment controller leaves them out.
 */
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** Ready Pods by version, in the order of `versions`. */
  readonly ready: readonly number[];
  /** Pods of any version that are not ready. */
  readonly waiting: number;
}

export interface Counted {
  readonly versions: readonly string[];
  readonly spans: readonly Span[];
}

/** Two writes of one step lie closer than this; what is between them is not drawn. */
const STEP_MS = 50;

/** Spans between `fromMs` and `toMs` in which nothing changed. */
export function countPods(rows: readonly Row[], fromMs: number, toMs: number): Counted {
  const pods = new Map<string, ObjectSummary>();
  const versions: string[] = [];
  const raw: { atMs: number; pods: readonly ObjectSummary[] }[] = [];
  for (const { atMs, object, type } of rows) {
    if (object?.kind !== "Pod") continue;
    const version = versionOf(object);
    if (!versions.includes(version)) versions.push(version);
    if (type === "DELETED" || object.deleting) pods.delete(objectId(object));
    else pods.set(objectId(object), object);
    raw.push({ atMs, pods: [...pods.values()] });
  }
  const spans = raw.flatMap(({ atMs, pods: now }, i): Span[] => {
    const nextMs = raw[i + 1]?.atMs ?? toMs;
    const span = { fromMs: Math.max(atMs, fromMs), toMs: Math.min(nextMs, toMs) };
    if (nextMs - atMs < STEP_MS || span.toMs <= span.fromMs) return [];
    const ready = versions.map(
      (v) => now.filter((pod) => pod.ready && versionOf(pod) === v).length,
    );
    return [{ ...span, ready, waiting: now.filter((pod) => !pod.ready).length }];
  });
  const joined = spans.map((span, i) => ({ ...span, toMs: spans[i + 1]?.fromMs ?? span.toMs }));
  return { versions, spans: joined };
}

/** `shop:1.0` → `1.0`. */
function versionOf({ image = "" }: ObjectSummary): string {
  return image.split(":").at(-1) ?? image;
}
