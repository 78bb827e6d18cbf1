/**
 * The life of Pods of one container each, over time, from the trace of a run:
 * when it runs, whether its Pod is Ready, when it is being stopped, and when
 * the kubelet waits before it starts it again.
 */
import { rowOf, type TraceEntry } from "@shikumi/sim";

export type Phase = "ready" | "unready" | "stopping" | "waiting";

export interface Span {
  readonly phase: Phase;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Life {
  readonly pod: string;
  readonly spans: readonly Span[];
  /** When the container started, the first time included, in ms. */
  readonly startsMs: readonly number[];
}

/** `pods`: names of Pods, which their containers have too. */
export function livesOf(
  entries: readonly TraceEntry[],
  pods: readonly string[],
  endMs: number,
): Life[] {
  return pods.map((pod) => lifeOf(entries, pod, endMs));
}

function lifeOf(entries: readonly TraceEntry[], pod: string, endMs: number): Life {
  const spans: Span[] = [];
  const startsMs: number[] = [];
  let ready = false;
  let state: "none" | "runs" | "stopping" | "waiting" = "none";
  let fromMs = 0;
  const phase = (): Phase | undefined => {
    if (state === "none") return undefined;
    if (state !== "runs") return state;
    return ready ? "ready" : "unready";
  };
  const change = (atMs: number, apply: () => void) => {
    const before = phase();
    apply();
    const after = phase();
    if (before === after) return;
    if (before && atMs > fromMs) spans.push({ phase: before, fromMs, toMs: atMs });
    fromMs = atMs;
  };
  for (const entry of entries) {
    const { atMs, verb, subject } = entry;
    if (atMs > endMs) break;
    if (verb === "container") {
      if (subject === `start ${pod}`) {
        startsMs.push(atMs);
        change(atMs, () => {
          state = "runs";
        });
      }
      if (subject === `TERM ${pod}`) {
        change(atMs, () => {
          state = "stopping";
        });
      }
      if (subject === `exit ${pod}`) {
        change(atMs, () => {
          state = "waiting";
        });
      }
    } else if (verb === "write") {
      const { object } = rowOf(entry);
      if (object?.kind !== "Pod" || object.name !== pod) continue;
      change(atMs, () => {
        ready = object.ready ?? false;
      });
    }
  }
  const last = phase();
  if (last) spans.push({ phase: last, fromMs, toMs: endMs });
  return { pod, spans, startsMs };
}
