/**
 * PodTopologySpread, scoring: the fewer matching Pods a Node's domains have,
 * the better. A topology with more domains weighs more (a logarithm).
 * Models: pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 *         @ v1.36
 */

import type { NodeInfo } from "../cache/node-info.ts";
import type { Counts } from "../cache/pod-counts.ts";
import { NO_DOMAIN, type Topology } from "../cache/topology.ts";
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
  readonly maxSkew: number;
  readonly weight: number;
  /** Domain of each Node, by its row. */
  readonly domainOf: readonly number[];
  /** Matching Pods, by domain or (hostname constraints) by row. */
  readonly pods: Counts;
  readonly byRow: boolean;
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
      const { row } = node;
      let sum = 0;
      for (let i = 0; i < counted.length; i++) {
        const { maxSkew, weight, domainOf, pods, byRow } = counted[i]!;
        const domain = domainOf[row] ?? NO_DOMAIN;
        if (domain === NO_DOMAIN) continue;
        sum += (pods[byRow ? row : domain] ?? 0) * weight + (maxSkew - 1);
      }
      return Math.round(sum);
    },

    normalizeScore(scores, nodes, { ignored }) {
      let lowest = Number.POSITIVE_INFINITY;
      let highest = 0;
      for (let i = 0; i < scores.length; i++) {
        if (ignored.size > 0 && ignored.has(nodes[i]!)) continue;
        const score = scores[i]!;
        if (score < lowest) lowest = score;
        if (score > highest) highest = score;
      }
      for (let i = 0; i < scores.length; i++) {
        if (ignored.size > 0 && ignored.has(nodes[i]!)) scores[i] = 0;
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
  const counted = constraints.map((constraint): Counted => {
    const { topologyKey, maxSkew, selector } = constraint;
    const { pod, snapshot } = cycle;
    const topology = snapshot.topology(topologyKey);
    const { domainOf } = topology;
    if (topologyKey === HOSTNAME) {
      const pods = snapshot.counts.byNode(pod.namespace, selector);
      const weight = Math.log(nodes.length - ignored.size + 2);
      return { maxSkew, weight, domainOf, pods, byRow: true };
    }
    const weight = Math.log(domainsAmong(nodes, ignored, topology) + 2);
    const pods = requireAllKeys
      ? countAllowed(cycle, constraint, constraints)
      : countDomains(cycle, constraint);
    return { maxSkew, weight, domainOf, pods, byRow: false };
  });
  return { counted, ignored };
}

/** How many domains the scored Nodes are in. */
function domainsAmong(
  nodes: readonly NodeInfo[],
  ignored: ReadonlySet<NodeInfo>,
  { domainOf, size }: Topology,
): number {
  const seen = new Uint8Array(size);
  let domains = 0;
  for (const node of nodes) {
    if (ignored.size > 0 && ignored.has(node)) continue;
    const domain = domainOf[node.row] ?? NO_DOMAIN;
    if (seen[domain] === 0) domains++;
    seen[domain] = 1;
  }
  return domains;
}

/** Matching Pods by domain; kept sums serve if every Node counts. */
function countDomains(cycle: Cycle, constraint: SpreadConstraint): Counts {
  const { selector, topologyKey } = constraint;
  const { pod, snapshot } = cycle;
  if (!nodePolicy(pod).countsAll(constraint)) {
    return countAllowed(cycle, constraint, []);
  }
  const topology = snapshot.topology(topologyKey);
  return snapshot.counts.byDomain(pod.namespace, selector, topology);
}

/** The same over the Nodes that have all labels and that the policy allows. */
function countAllowed(
  { pod, snapshot }: Cycle,
  constraint: SpreadConstraint,
  required: readonly SpreadConstraint[],
): Counts {
  const { domainOf, size } = snapshot.topology(constraint.topologyKey);
  const policy = nodePolicy(pod);
  const pods = snapshot.counts.byNode(pod.namespace, constraint.selector);
  const sums = new Array<number>(size).fill(0);
  for (const node of snapshot.nodes) {
    const here = pods[node.row] ?? 0;
    if (here === 0 || !hasAllKeys(node, required)) continue;
    if (policy.counts(constraint, node)) {
      sums[domainOf[node.row] ?? NO_DOMAIN]! += here;
    }
  }
  return sums;
}
