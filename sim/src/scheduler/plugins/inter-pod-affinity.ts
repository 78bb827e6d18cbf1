/**
 * InterPodAffinity: Pods that want to be near others, or far from them.
 * "Near" is: on a Node with the same value of the topology key's label.
 * Anti-affinity works both ways: a running Pod can keep a new one away.
 * Models:     pkg/scheduler/framework/plugins/interpodaffinity @ v1.36
 * Leaves out: nothing; scoring is in inter-pod-affinity-score.ts.
 */
import type { Labels } from "../../api/types.ts";
import type { AffinityTerm } from "../cache/affinity-term.ts";
import { termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import type { Listers } from "../listers.ts";
import { SKIP, status } from "../status.ts";
import { withNames } from "./affinity-names.ts";
import { scorePart, type TopologyScores } from "./inter-pod-affinity-score.ts";
import { PairCounts } from "./pair-counts.ts";

const name = "InterPodAffinity";

const AFFINITY = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) didn't match pod affinity rules",
);
const ANTI_AFFINITY = status(
  name,
  "Unschedulable",
  "node(s) didn't match pod anti-affinity rules",
);
const EXISTING_ANTI_AFFINITY = status(
  name,
  "Unschedulable",
  "node(s) didn't satisfy existing pods anti-affinity rules",
);

interface State {
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

export function interPodAffinity({
  listers,
}: Handle): Plugin<State, TopologyScores> {
  const podEvents = Action.Add | Action.Delete | Action.UpdatePodLabel;
  return {
    name,
    events: [
      { event: clusterEvent("AssignedPod", podEvents) },
      { event: clusterEvent("UnscheduledPod", Action.UpdatePodLabel) },
      { event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel) },
    ],

    preFilter({ pod, snapshot }) {
      const state = emptyState(pod, listers);
      for (const node of snapshot.withRequiredAntiAffinity) {
        if (!node.node) continue;
        for (const other of node.podsWithRequiredAntiAffinity) {
          countKept(state, other, pod, node, 1);
        }
      }
      const { affinity, antiAffinity, kept } = state;
      if (affinity.length + antiAffinity.length === 0) {
        return kept.size === 0 ? SKIP : { state };
      }
      for (const node of snapshot.nodes) {
        for (const other of node.pods) countOwn(state, other, node, 1);
      }
      return { state };
    },

    filter({ labels }, pod, state) {
      if (!isNear(labels, pod, state)) return AFFINITY;
      if (isFar(labels, state)) return ANTI_AFFINITY;
      return state.kept.touches(labels) ? EXISTING_ANTI_AFFINITY : null;
    },

    cloneState: (state) => ({
      ...state,
      near: state.near.clone(),
      far: state.far.clone(),
      kept: state.kept.clone(),
    }),

    addPod(other, node, pod, state) {
      countKept(state, other, pod, node, 1);
      countOwn(state, other, node, 1);
    },

    removePod(other, node, pod, state) {
      countKept(state, other, pod, node, -1);
      countOwn(state, other, node, -1);
    },

    ...scorePart(listers),
  };
}

function emptyState(pod: PodInfo, listers: Listers): State {
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
function countKept(
  { kept, namespaceLabels }: State,
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
function countOwn(
  { affinity, antiAffinity, near, far }: State,
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

function matchesAll(terms: readonly AffinityTerm[], pod: PodInfo): boolean {
  if (terms.length === 0) return false;
  for (const term of terms) if (!termMatches(term, pod)) return false;
  return true;
}

/** The first Pod of a group that wants to be together may go anywhere. */
function isNear(
  labels: Labels,
  pod: PodInfo,
  { affinity, near }: State,
): boolean {
  let found = true;
  for (const { topologyKey } of affinity) {
    const value = labels[topologyKey];
    if (value === undefined) return false;
    if (near.get(topologyKey, value) <= 0) found = false;
  }
  return found || (near.size === 0 && matchesAll(affinity, pod));
}

function isFar(labels: Labels, { antiAffinity, far }: State): boolean {
  if (far.size === 0) return false;
  for (const { topologyKey } of antiAffinity) {
    const value = labels[topologyKey];
    if (value !== undefined && far.get(topologyKey, value) > 0) return true;
  }
  return false;
}
