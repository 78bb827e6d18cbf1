/** Trace rows as lines of a terminal. */
import { isPulse, type Row } from "../src/view/index.ts";

const HIDDEN = new Set(["range", "watch", "log"]);

/**
 * Tells row by row, in order, whether it is shown: not the pulse of the
 * cluster, nor the small print of requests.
 */
export function newsFilter(): (row: Row) => boolean {
  const pulse = new Set<number>();
  return (row) => {
    const isOfPulse = isPulse(row, pulse.has(row.causeId));
    if (isOfPulse) pulse.add(row.id);
    return !isOfPulse && !HIDDEN.has(row.verb);
  };
}

/** `  1012.4 ms  kubectl → kube-apiserver  request  POST deployments.apps default/web` */
export function formatRow(row: Row): string {
  const time = `${row.atMs.toFixed(1)} ms`.padStart(12);
  const who = row.target ? `${row.actor} → ${row.target}` : row.actor;
  return `${time}  ${who.padEnd(46)} ${row.verb.padEnd(12)} ${row.subject}`;
}
