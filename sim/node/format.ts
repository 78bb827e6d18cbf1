/** Trace rows as lines of a terminal. */
import type { Row } from "../src/index.ts";

const PULSE = /^\S+ (leases\.coordination|events\b|nodes\b)/;
const HIDDEN = new Set(["range", "watch", "log"]);
/** Ids of pulse requests, so that what follows from them is hidden too. */
const pulses = new WeakMap<readonly Row[], Set<number>>();

/** Heartbeats, Events and what they cause, and the small print of requests. */
export function isPulse(row: Row, rows: readonly Row[]): boolean {
  let ids = pulses.get(rows);
  if (!ids) pulses.set(rows, (ids = new Set()));
  const pulse = ids.has(row.causeId) || (row.verb === "request" && PULSE.test(row.subject));
  if (pulse) ids.add(row.id);
  return pulse || HIDDEN.has(row.verb);
}

/** `  1012.4 ms  kubectl → kube-apiserver  request  POST deployments.apps default/web` */
export function formatRow(row: Row): string {
  const time = `${row.atMs.toFixed(1)} ms`.padStart(12);
  const who = row.target ? `${row.actor} → ${row.target}` : row.actor;
  return `${time}  ${who.padEnd(46)} ${row.verb.padEnd(12)} ${row.subject}`;
}
