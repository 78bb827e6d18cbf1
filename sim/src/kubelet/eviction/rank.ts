/**
 * Whom the node gives up first: those that take more than they asked for,
 * then the less important, then the greediest. The QoS class itself does not
 * count, but a BestEffort Pod always takes more than it asked for.
 * Models: pkg/kubelet/eviction/helpers.go rankMemoryPressure, rankPIDPressure,
 *         rankDiskPressureFunc @ v1.36
 * Try:    rank by memory alone, and see who goes.
 */
import { podRequests } from "../../api/helpers/pod-requests.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { PodUsage } from "./stats.ts";
import { SIGNALS, type Signal } from "./thresholds.ts";

export type StatsOf = (pod: Pod) => PodUsage | undefined;

/** What of a Pod lies on the disk in question. */
export interface DiskShare {
  readonly rootfs: boolean;
  /** Logs and volumes. */
  readonly local: boolean;
}

/** The first one goes first. */
export function rank(
  pods: readonly Pod[],
  signal: Signal,
  statsOf: StatsOf,
  share: DiskShare,
): Pod[] {
  const rows = pods.map((pod) => row(pod, signal, statsOf(pod), share));
  return rows.sort(compare).map(({ pod }) => pod);
}

interface Row {
  readonly pod: Pod;
  readonly known: boolean;
  readonly exceeds: boolean;
  readonly priority: number;
  /** Use beyond the request. */
  readonly excess: number;
}

function row(
  pod: Pod,
  signal: Signal,
  stats: PodUsage | undefined,
  share: DiskShare,
): Row {
  const priority = pod.spec.priority ?? 0;
  if (!stats) return { pod, known: false, exceeds: false, priority, excess: 0 };
  if (signal === "pid.available") {
    const excess = stats.processes;
    return { pod, known: true, exceeds: false, priority, excess };
  }
  const [, name] = SIGNALS[signal];
  const used = USED[name]?.(stats, share) ?? 0;
  const excess = used - (podRequests(pod).get(name) ?? 0);
  return { pod, known: true, exceeds: excess > 0, priority, excess };
}

/** By the name of the resource. */
const USED: Readonly<
  Record<string, (stats: PodUsage, share: DiskShare) => number>
> = {
  memory: ({ memoryBytes }) => memoryBytes,
  "ephemeral-storage": diskOf,
  inodes: inodesOf,
};

/** Of whom nothing is known goes first. */
function compare(a: Row, b: Row): number {
  if (a.known !== b.known) return a.known ? 1 : -1;
  if (a.exceeds !== b.exceeds) return a.exceeds ? -1 : 1;
  return a.priority - b.priority || b.excess - a.excess;
}

export function diskOf(stats: PodUsage, share: DiskShare): number {
  let sum = 0;
  for (const { rootfsBytes, logsBytes } of stats.containers) {
    if (share.rootfs) sum += rootfsBytes;
    if (share.local) sum += logsBytes;
  }
  if (share.local) for (const used of stats.volumes.values()) sum += used;
  return sum;
}

/** Nobody can ask for files: whoever has any has too many. */
function inodesOf(stats: PodUsage, share: DiskShare): number {
  let sum = 0;
  for (const { rootfsInodes, logsInodes } of stats.containers) {
    if (share.rootfs) sum += rootfsInodes;
    if (share.local) sum += logsInodes;
  }
  if (share.local) for (const used of stats.volumeInodes.values()) sum += used;
  return sum;
}
