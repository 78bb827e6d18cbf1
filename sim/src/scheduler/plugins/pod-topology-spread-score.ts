/**
 * PodTopologySpread, scoring: the fewer matching Pods a Node's domains have,
 * the better. A topology with more domains weighs more (a logarithm).
 * Models: pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 *         @ v1.36
 */

import type { NodeInfo } from "../cache/node-info.ts";
import type { CountsByNode } from "../cache/pod-counts.ts";
import type { Cycle } from "../cycle.ts";
import { MAX_NODE_SCORE, type Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import { SKIP } from "../status.ts";
import {
  defaultConstraints,
  HOSTNAME,
  hasAllKeys,
  nodePolicy,
  ownConstraints,
  type SpreadConstraint,
} from "./spread-constraints.ts";

/** One constraint, counted. */
interface Counted {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly weight: number;
  /** Label value to Pods; of hostname constraints, Node to Pods. */
  readonly domains: ReadonlyMap<string, number>;
  readonly byNode: CountsByNode | undefined;
}

export interface SpreadScores {
  readonly counted: readonly Counted[];
  /** Nodes without all the labels: they get no score. */
  readonly ignored: ReadonlySet<NodeInfo>;
}

type ScorePart = Pick<
  Plugin<never, SpreadScores>,
  "preScore" | "score" | "normalizeScore"
>;

export function spreadScore({ listers }: Handle): ScorePart {
  return {
    preScore(cycle, nodes) {
      const { pod } = cycle;
      const own = (pod.pod.spec.topologySpreadConstraints ?? []).length > 0;
      const constraints = own
        ? ownConstraints(pod, "ScheduleAnyway")
        : defaultConstraints(pod, listers);
      if (constraints.length === 0) return SKIP;
      return { state: count(cycle, nodes, constraints, own) };
    },

    score(node, _, { counted, ignored }) {
      if (ignored.size > 0 && ignored.has(node)) return 0;
      let sum = 0;
      for (const { topologyKey, maxSkew, weight, domains, byNode } of counted) {
        const value = node.labels[topologyKey];
        if (value === undefined) continue;
        const pods = (byNode ? byNode.get(node) : domains.get(value)) ?? 0;
        sum += pods * weight + (maxSkew - 1);
      }
      return Math.round(sum);
    },

    normalizeScore(scores, nodes, { ignored }) {
      let lowest = Number.POSITIVE_INFINITY;
      let highest = 0;
      for (let i = 0; i < scores.length; i++) {
        if (ignored.has(nodes[i]!)) continue;
        lowest = Math.min(lowest, scores[i]!);
        highest = Math.max(highest, scores[i]!);
      }
      for (let i = 0; i < scores.length; i++) {
        if (ignored.has(nodes[i]!)) scores[i] = 0;
        else if (highest === 0) scores[i] = MAX_NODE_SCORE;
        else {
          const rest = highest + lowest - scores[i]!;
          scores[i] = Math.trunc((MAX_NODE_SCORE * rest) / highest);
        }
      }
    },
  };
}

function count(
  cycle: Cycle,
  nodes: readonly NodeInfo[],
  constraints: readonly SpreadConstraint[],
  requireAllKeys: boolean,
): SpreadScores {
  const ignored = new Set<NodeInfo>();
  if (requireAllKeys) {
    for (const node of nodes) {
      if (!hasAllKeys(node, constraints)) ignored.add(node);
    }
  }
  const scored = nodes.length - ignored.size;
  const counted = constraints.map((constraint): Counted => {
    const { topologyKey, maxSkew, selector } = constraint;
    if (topologyKey === HOSTNAME) {
      const { counts } = cycle.snapshot;
      const byNode = counts.byNode(cycle.pod.namespace, selector);
      const weight = Math.log(scored + 2);
      return { topologyKey, maxSkew, weight, domains: new Map(), byNode };
    }
    const values = new Set<string>();
    for (const node of nodes) {
      if (!ignored.has(node)) values.add(node.labels[topologyKey] ?? "");
    }
    const weight = Math.log(values.size + 2);
    const domains = domainCounts(
      cycle,
      constraint,
      constraints,
      requireAllKeys,
    );
    return { topologyKey, maxSkew, weight, domains, byNode: undefined };
  });
  return { counted, ignored };
}

/** Matching Pods by label value, over the Nodes that count. */
function domainCounts(
  { pod, snapshot }: Cycle,
  constraint: SpreadConstraint,
  constraints: readonly SpreadConstraint[],
  requireAllKeys: boolean,
): ReadonlyMap<string, number> {
  const { selector, topologyKey } = constraint;
  const policy = nodePolicy(pod);
  if (!requireAllKeys && policy.countsAll(constraint)) {
    return snapshot.counts.byTopology(pod.namespace, selector, topologyKey);
  }
  const domains = new Map<string, number>();
  for (const [node, pods] of snapshot.counts.byNode(pod.namespace, selector)) {
    if (requireAllKeys && !hasAllKeys(node, constraints)) continue;
    if (!policy.counts(constraint, node)) continue;
    const value = node.labels[topologyKey] ?? "";
    domains.set(value, (domains.get(value) ?? 0) + pods);
  }
  return domains;
}
