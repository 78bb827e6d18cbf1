/**
 * How far each request of kubectl that makes a Pod came in the API server:
 * which station turned it away, and with which answer. From the trace of a run.
 */
import type { TraceEntry } from "@shikumi/sim";

export const STATIONS = [
  "authenticate",
  "authorize",
  "mutate",
  "validate",
  "admit",
  "etcd",
] as const;
export type Station = (typeof STATIONS)[number];

export interface Way {
  /** Where it ended. */
  readonly end: Station;
  /** Status code of the answer. */
  readonly code: number;
  /** Who turned it away: `RBAC`, `ResourceQuota`; "" where the station is one piece. */
  readonly by: string;
}

interface Asked {
  readonly verb: string;
  readonly resource: string;
  readonly options?: { readonly dryRun?: readonly string[] };
}

/** Requests of kubectl that are to make a Pod, rehearsals left out. */
export function createsOf(entries: readonly TraceEntry[]): TraceEntry[] {
  return entries.filter(({ actor, verb, detail }) => {
    if (actor !== "kubectl" || verb !== "request") return false;
    const { request } = detail as { readonly request: Asked };
    const isCreate = request.verb === "create" && request.resource === "pods";
    return isCreate && !request.options?.dryRun?.length;
  });
}

export function waysOf(entries: readonly TraceEntry[]): Way[] {
  return createsOf(entries).map(({ id }) => wayOf(entries.filter(({ causeId }) => causeId === id)));
}

function wayOf(steps: readonly TraceEntry[]): Way {
  const answer = steps.find(({ verb }) => verb === "response")!;
  const { code } = answer.detail as { readonly code: number };
  const isRefusal = ({ detail }: TraceEntry) =>
    (detail as { verdict?: string } | undefined)?.verdict === "deny";
  const refusal = steps.find(isRefusal);
  if (refusal) {
    const { by } = refusal.detail as { readonly by: string };
    // What validates is the kind's own rules, no plugin.
    const end = refusal.verb as Station;
    return { end, code, by: end === "validate" ? "" : by };
  }
  // All stations let it pass, or nobody was recognised at the first.
  const passed = steps.some(({ verb }) => verb === "authenticate");
  return { end: passed ? "etcd" : "authenticate", code, by: "" };
}
