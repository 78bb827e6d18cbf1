/**
 * Which Pods go first when there are too many: those that do the least work
 * and whose loss is felt the least.
 * Models: pkg/controller/controller_utils.go (ActivePodsWithRanks) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isReady, podCondition, sidecarStatuses } from "./pods.ts";

/** A Pod and how many Pods of its kin stand on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

type Clock = Pick<Kernel, "now" | "msOf">;

const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const PHASES: Record<string, number> = { Pending: 0, Unknown: 1, Running: 2 };

/** `pods`, those to be deleted first at the front. */
export function inDeletionOrder(
  pods: readonly RankedPod[],
  clock: Clock,
): Pod[] {
  const sorted = pods.toSorted((a, b) => compare(a, b, clock));
  return sorted.map(({ pod }) => pod);
}

// region: deletion-order
/** Below 0 if `a` is deleted before `b`. The first difference decides. */
function compare(a: RankedPod, b: RankedPod, clock: Clock): number {
  return (
    // A Pod without a node before one with a node.
    Number(!!a.pod.spec?.nodeName) - Number(!!b.pod.spec?.nodeName) ||
    phase(a.pod) - phase(b.pod) ||
    Number(isReady(a.pod)) - Number(isReady(b.pod)) ||
    deletionCost(a.pod) - deletionCost(b.pod) ||
    // The fuller a node is of the same Pods, the sooner one of them goes.
    b.rank - a.rank ||
    // Ready for a shorter time, in powers of two.
    younger(readySince(a.pod), readySince(b.pod), a, b, clock) ||
    moreRestarts(a.pod, b.pod) ||
    younger(created(a.pod), created(b.pod), a, b, clock)
  );
}
// endregion: deletion-order

function phase(pod: Pod): number {
  return PHASES[pod.status?.phase ?? ""] ?? 0;
}

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST] ?? "0";
  const cost = /^(-[0-9]+|0|[1-9][0-9]*)$/.test(text) ? Number(text) : 0;
  // What no int32 can hold counts as nothing.
  return cost === (cost | 0) ? cost : 0;
}

function readySince(pod: Pod): string | undefined {
  if (!isReady(pod)) return undefined;
  return podCondition(pod, "Ready")?.lastTransitionTime;
}

function created(pod: Pod): string | undefined {
  return pod.metadata.creationTimestamp;
}

/** Ages compare by their power of two, then Pods by uid: at random, that is. */
function younger(
  a: string | undefined,
  b: string | undefined,
  podA: RankedPod,
  podB: RankedPod,
  clock: Clock,
): number {
  if (a === b) return 0;
  if (!a) return -1;
  if (!b) return 1;
  const difference = magnitude(a, clock) - magnitude(b, clock);
  if (difference !== 0) return difference;
  const uidA = podA.pod.metadata.uid ?? "";
  const uidB = podB.pod.metadata.uid ?? "";
  return uidA < uidB ? -1 : Number(uidA > uidB);
}

/** Whole part of log2 of the age in nanoseconds; -1 for the future. */
function magnitude(moment: string, clock: Clock): number {
  const ageNs = (clock.now() - clock.msOf(moment)) * 1e6;
  return ageNs > 0 ? Math.floor(Math.log2(ageNs)) : -1;
}

/** Main containers decide before sidecars. */
function moreRestarts(a: Pod, b: Pod): number {
  const main = restarts(b.status?.containerStatuses);
  const sidecars = restarts(sidecarStatuses(b));
  return (
    main - restarts(a.status?.containerStatuses) ||
    sidecars - restarts(sidecarStatuses(a))
  );
}

function restarts(
  statuses: readonly { readonly restartCount?: number }[] | undefined,
): number {
  return Math.max(0, ...(statuses ?? []).map((s) => s.restartCount ?? 0));
}
