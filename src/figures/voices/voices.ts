/**
 * Who says what about objects that do not get well: the STATUS that kubectl
 * prints, and the Event that tells why. All of it from the trace of one run.
 */
import type { TraceEntry } from "@shikumi/sim";

export interface Voice {
  readonly name: string;
  /** The STATUS column of `kubectl get pods`; "" for what is no Pod. */
  readonly status: string;
  /** Who wrote the Event; "" where no Event tells it. */
  readonly component: string;
  readonly reason: string;
  readonly message: string;
}

interface Said {
  readonly kind?: string;
  readonly involvedObject?: { readonly name: string };
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string };
  readonly reportingComponent?: string;
  readonly reportingController?: string;
}

/** An object's name, an Event's reason, "" if none tells it, and how its message begins. */
export type Asked = readonly [name: string, reason: string, begins?: string];

/** Of each the last such Event. */
export function voicesOf(entries: readonly TraceEntry[], asked: readonly Asked[]): Voice[] {
  const events = entries.flatMap(({ detail }) => {
    const { request } = (detail ?? {}) as { request?: { verb: string; body?: Said } };
    return request?.verb === "create" && request.body?.kind === "Event" ? [request.body] : [];
  });
  const printed = entries.findLast(({ subject }) => /^NAME\s+READY\s+STATUS/.test(subject));
  return asked.map(([name, reason, begins = ""]) => {
    const event = events.findLast((one) => {
      const isAbout = one.involvedObject?.name.startsWith(name);
      return isAbout && one.reason === reason && shorten(one.message ?? "").startsWith(begins);
    });
    if (reason !== "" && !event) throw new Error(`No Event ${reason} of ${name} in the run.`);
    return {
      name,
      status: statusIn(printed?.subject ?? "", name),
      component: speaker(event),
      reason,
      message: shorten(event?.message ?? ""),
    };
  });
}

/** The scheduler writes the newer form of Event, which has another field for it. */
function speaker(event: Said | undefined): string {
  return event?.source?.component || event?.reportingComponent || event?.reportingController || "";
}

function statusIn(table: string, name: string): string {
  const line = table.split("\n").find((one) => one.startsWith(name));
  const [, ready = "", status = ""] = line?.split(/\s+/) ?? [];
  return status === "Running" ? `Running ${ready}` : status;
}

/** Hashes and what is said of the container before are cut. */
function shorten(message: string): string {
  return message
    .replace(/^spec\.containers\{\w+\}: /, "")
    .replace(/[0-9a-f]{64}/, "…")
    .replace(/_default\([0-9a-f-]+\)/, "_default(…)")
    .replace(/ no new claims to deallocate,? preemption: .*/, " …");
}
