/**
 * InterPodAffinity, scoring: each preferred term adds its weight to the
 * places of the Pods that match it, or takes it off. The running Pods' own
 * terms count too, and their required affinity with weight 1.
 * Models: pkg/scheduler/framework/plugins/interpodaffinity/scoring.go @ v1.36
 */
import type { Labels } from "../../api/types.ts";
import type { AffinityTerm } from "../cache/affinity-term.ts";
import { termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { MAX_NODE_SCORE, type Plugin } from "../framework.ts";
import type { Listers } from "../listers.ts";
import { SKIP } from "../status.ts";
import { withNames } from "./affinity-names.ts";

/** Weight of a running Pod's required affinity that means the new Pod. */
const HARD_POD_AFFINITY_WEIGHT = 1;

/** Topology key to label value to score. */
export type TopologyScores = Map<string, Map<string, number>>;

type ScorePart = Pick<
  Plugin<never, TopologyScores>,
  "preScore" | "score" | "normalizeScore"
>;

export function scorePart(listers: Listers): ScorePart {
  return {
    preScore({ pod, snapshot }) {
      const near = pod.preferredAffinity.map((t) => withNames(t, listers));
      const far = pod.preferredAntiAffinity.map((t) => withNames(t, listers));
      const wants = near.length + far.length > 0;
      const labels = listers.namespaceLabels(pod.namespace) ?? {};
      const state: TopologyScores = new Map();
      for (const node of wants ? snapshot.nodes : snapshot.withAffinity) {
        if (!node.node) continue;
        for (const other of wants ? node.pods : node.podsWithAffinity) {
          for (const term of near) add(state, term, other, node, term.weight);
          for (const term of far) add(state, term, other, node, -term.weight);
          addTermsOf(other, state, pod, node, labels);
        }
      }
      return state.size === 0 ? SKIP : { state };
    },

    score({ labels }, _, state) {
      let sum = 0;
      for (const [key, scores] of state) {
        const value = labels[key];
        if (value !== undefined) sum += scores.get(value) ?? 0;
      }
      return sum;
    },

    normalizeScore(scores) {
      const lowest = Math.min(...scores);
      const range = Math.max(...scores) - lowest;
      for (let i = 0; i < scores.length; i++) {
        const part = range > 0 ? (scores[i]! - lowest) / range : 0;
        scores[i] = Math.trunc(MAX_NODE_SCORE * part);
      }
    },
  };
}

/** The other side: what the running Pod's terms say of the new one. */
function addTermsOf(
  other: PodInfo,
  state: TopologyScores,
  pod: PodInfo,
  node: NodeInfo,
  labels: Labels,
): void {
  for (const term of other.requiredAffinity) {
    add(state, term, pod, node, HARD_POD_AFFINITY_WEIGHT, labels);
  }
  for (const term of other.preferredAffinity) {
    add(state, term, pod, node, term.weight, labels);
  }
  for (const term of other.preferredAntiAffinity) {
    add(state, term, pod, node, -term.weight, labels);
  }
}

function add(
  state: TopologyScores,
  term: AffinityTerm,
  target: PodInfo,
  node: NodeInfo,
  weight: number,
  namespaceLabels?: Labels,
): void {
  const value = node.labels[term.topologyKey];
  if (value === undefined) return;
  if (!termMatches(term, target, namespaceLabels)) return;
  let scores = state.get(term.topologyKey);
  if (!scores) {
    scores = new Map();
    state.set(term.topologyKey, scores);
  }
  scores.set(value, (scores.get(value) ?? 0) + weight);
}
