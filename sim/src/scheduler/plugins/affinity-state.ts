/**
 * What InterPodAffinity counts for one Pod: where the others are that it
 * wants near, wants far, or that keep it away.
 * Models: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 *         @ v1.36
 */
import type { Labels } from "../../api/types.ts";
import { type AffinityTerm, termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Listers } from "../listers.ts";
import { withNames } from "./affinity-names.ts";
import { PairCounts } from "./pair-counts.ts";

export interface AffinityState {
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
  readonly namespaceLabels: Labels | undefined;
  /** Places with Pods that match all affinity terms. */
  readonly near: PairCounts;
  /** Places with Pods that match an anti-affinity term. */
  readonly far: PairCounts;
  /** Places with Pods whose own anti-affinity means this Pod. */
  readonly kept: PairCounts;
}

export function emptyState(pod: PodInfo, listers: Listers): AffinityState {
  return {
    affinity: pod.requiredAffinity.map((term) => withNames(term, listers)),
    antiAffinity: pod.requiredAntiAffinity.map((term) =>
      withNames(term, listers),
    ),
    namespaceLabels: listers.namespaceLabels(pod.namespace) ?? {},
    near: new PairCounts(),
    far: new PairCounts(),
    kept: new PairCounts(),
  };
}

/** Do the other Pod's terms keep this Pod away? */
export function countKept(
  { kept, namespaceLabels }: AffinityState,
  other: PodInfo,
  pod: PodInfo,
  { labels }: NodeInfo,
  by: number,
): void {
  for (const term of other.requiredAntiAffinity) {
    if (termMatches(term, pod, namespaceLabels)) {
      kept.add(term.topologyKey, labels, by);
    }
  }
}

/** Does this Pod want to be near the other, or far from it? */
export function countOwn(
  { affinity, antiAffinity, near, far }: AffinityState,
  other: PodInfo,
  { labels }: NodeInfo,
  by: number,
): void {
  if (matchesAll(affinity, other)) {
    for (const { topologyKey } of affinity) near.add(topologyKey, labels, by);
  }
  for (const term of antiAffinity) {
    if (termMatches(term, other)) far.add(term.topologyKey, labels, by);
  }
}

export function matchesAll(
  terms: readonly AffinityTerm[],
  pod: PodInfo,
): boolean {
  if (terms.length === 0) return false;
  for (const term of terms) if (!termMatches(term, pod)) return false;
  return true;
}
