/**
 * InterPodAffinity: Pods that want to be near others, or far from them.
 * "Near" is: on a Node with the same value of the topology key's label.
 * Anti-affinity works both ways: a running Pod can keep a new one away.
 * Models:     pkg/scheduler/framework/plugins/interpodaffinity @ v1.36
 * Leaves out: nothing; scoring is in inter-pod-affinity-score.ts.
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { KubeObject, Labels } from "../../api/types.ts";
import { type AffinityTerm, termMatches } from "../cache/affinity-term.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import type { Listers } from "../listers.ts";
import { SKIP, status } from "../status.ts";
import {
  type AffinityState,
  countKept,
  countOwn,
  emptyState,
  matchesAll,
} from "./affinity-state.ts";
import { scorePart, type TopologyScores } from "./inter-pod-affinity-score.ts";

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

export function interPodAffinity({
  listers,
}: Handle): Plugin<AffinityState, TopologyScores> {
  const podEvents = Action.Add | Action.Delete | Action.UpdatePodLabel;
  return {
    name,
    events: [
      {
        event: clusterEvent("AssignedPod", podEvents),
        hint: (pod, old, now) => helps(pod, old, now, listers),
      },
      {
        event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel),
        hint: moves,
      },
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

/** Hint: does a Pod newly match what this one wants, or is one out of its way? */
function helps(
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
  listers: Listers,
): boolean {
  const info = new PodInfo(pod);
  const { affinity, antiAffinity, namespaceLabels } = emptyState(info, listers);
  const before = old && new PodInfo(old as Pod);
  const after = now && new PodInfo(now as Pod);
  const isHated = (other: PodInfo) =>
    antiAffinity.some((term) => termMatches(term, other));
  const isWanted = after && matchesAll(affinity, after);
  if (isWanted && !(before && matchesAll(affinity, before))) return true;
  if (!before) return false;
  if (after) return isHated(before) && !isHated(after);
  return (
    isHated(before) ||
    before.requiredAntiAffinity.some((term) =>
      termMatches(term, info, namespaceLabels),
    )
  );
}

/** Hint: is a Node in a place now where it was not before? */
function moves(
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
): boolean {
  const { requiredAffinity, requiredAntiAffinity } = new PodInfo(pod);
  const placesOf = ({ topologyKey }: AffinityTerm) => [
    old?.metadata.labels?.[topologyKey],
    now?.metadata.labels?.[topologyKey],
  ];
  const comes = requiredAffinity.some((term) => {
    const [before, after] = placesOf(term);
    return after !== undefined && before !== after;
  });
  // A Node without the key takes any Pod that wants to be far from others.
  const leaves = requiredAntiAffinity.some((term) => {
    const [before, after] = placesOf(term);
    return !old || (before !== undefined && before !== after);
  });
  return comes || leaves;
}

/** The first Pod of a group that wants to be together may go anywhere. */
function isNear(
  labels: Labels,
  pod: PodInfo,
  { affinity, near }: AffinityState,
): boolean {
  let found = true;
  for (const { topologyKey } of affinity) {
    const value = labels[topologyKey];
    if (value === undefined) return false;
    if (near.get(topologyKey, value) <= 0) found = false;
  }
  return found || (near.size === 0 && matchesAll(affinity, pod));
}

function isFar(labels: Labels, { antiAffinity, far }: AffinityState): boolean {
  if (far.size === 0) return false;
  for (const { topologyKey } of antiAffinity) {
    const value = labels[topologyKey];
    if (value !== undefined && far.get(topologyKey, value) > 0) return true;
  }
  return false;
}
