/**
 * PodTopologySpread: keeps the Pods of a group even over zones, hosts or any
 * other label. Hard constraints filter here; soft ones score in
 * pod-topology-spread-score.ts. Checked when scheduling, never again after.
 * Models:     pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 *             @ v1.36
 * Leaves out: nothing; "critical paths" are a minimum that is kept.
 */
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Cycle } from "../cycle.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import { SKIP, status } from "../status.ts";
import { spreadEvents } from "./pod-topology-spread-hints.ts";
import { type SpreadScores, spreadScore } from "./pod-topology-spread-score.ts";
import {
  hasAllKeys,
  type NodePolicy,
  nodePolicy,
  ownConstraints,
  type SpreadConstraint,
} from "./spread-constraints.ts";

const name = "PodTopologySpread";

const UNEVEN = status(
  name,
  "Unschedulable",
  "node(s) didn't match pod topology spread constraints",
);
const NO_LABEL = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) didn't match pod topology spread constraints (missing required label)",
);

/** One constraint with its domains: label value to number of matching Pods. */
interface Spread {
  readonly constraint: SpreadConstraint;
  readonly domains: Map<string, number>;
  /** 1 if the Pod itself matches the selector. */
  readonly self: number;
  /** Fewest Pods in a domain; worked out when asked after a change. */
  fewest: number | undefined;
}

interface State {
  readonly constraints: readonly SpreadConstraint[];
  readonly spreads: readonly Spread[];
  readonly policy: NodePolicy;
}

export function podTopologySpread(handle: Handle): Plugin<State, SpreadScores> {
  return {
    name,
    events: spreadEvents,

    preFilter(cycle) {
      const constraints = ownConstraints(cycle.pod, "DoNotSchedule");
      if (constraints.length === 0) return SKIP;
      return { state: count(cycle, constraints) };
    },

    filter({ labels }, _, { spreads }) {
      for (const spread of spreads) {
        const { topologyKey, maxSkew } = spread.constraint;
        const value = labels[topologyKey];
        if (value === undefined) return NO_LABEL;
        const here = spread.domains.get(value) ?? 0;
        if (here + spread.self - fewest(spread) > maxSkew) return UNEVEN;
      }
      return null;
    },

    cloneState: (state) => ({
      ...state,
      spreads: state.spreads.map((spread) => ({
        ...spread,
        domains: new Map(spread.domains),
      })),
    }),
    addPod: (other, node, pod, state) => change(state, other, node, pod, 1),
    removePod: (other, node, pod, state) => change(state, other, node, pod, -1),

    ...spreadScore(handle),
  };
}

/** Counts the matching Pods of every domain; a domain without any counts 0. */
function count(
  { pod, snapshot }: Cycle,
  constraints: readonly SpreadConstraint[],
): State {
  const policy = nodePolicy(pod);
  const spreads = constraints.map((constraint): Spread => {
    const { selector, topologyKey } = constraint;
    const matching = snapshot.counts.byNode(pod.namespace, selector);
    const domains = new Map<string, number>();
    for (const node of snapshot.nodes) {
      if (!hasAllKeys(node, constraints)) continue;
      if (!policy.counts(constraint, node)) continue;
      const value = node.labels[topologyKey] ?? "";
      domains.set(value, (domains.get(value) ?? 0) + (matching[node.row] ?? 0));
    }
    const self = selector.matches(pod.pod.metadata.labels) ? 1 : 0;
    return { constraint, domains, self, fewest: undefined };
  });
  return { constraints, spreads, policy };
}

/** With fewer domains than minDomains, an empty one is imagined. */
function fewest(spread: Spread): number {
  if (spread.fewest === undefined) {
    const { domains, constraint } = spread;
    spread.fewest = 0;
    if (domains.size >= constraint.minDomains) {
      spread.fewest = Number.POSITIVE_INFINITY;
      for (const pods of domains.values()) {
        if (pods < spread.fewest) spread.fewest = pods;
      }
    }
  }
  return spread.fewest;
}

function change(
  { constraints, spreads, policy }: State,
  other: PodInfo,
  node: NodeInfo,
  pod: PodInfo,
  by: number,
): void {
  if (other.namespace !== pod.namespace) return;
  if (!hasAllKeys(node, constraints)) return;
  for (const spread of spreads) {
    const { selector, topologyKey } = spread.constraint;
    if (!selector.matches(other.pod.metadata.labels)) continue;
    if (!policy.counts(spread.constraint, node)) continue;
    const value = node.labels[topologyKey] ?? "";
    spread.domains.set(value, (spread.domains.get(value) ?? 0) + by);
    spread.fewest = undefined;
  }
}
