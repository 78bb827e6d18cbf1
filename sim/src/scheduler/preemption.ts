/**
 * Preemption: which Pods of lower priority would have to go, and from which
 * Node, for a Pod to fit? Nothing is done here, it is all "what if".
 * Models:     pkg/scheduler/framework/preemption/preemption.go, plugins/
 *             defaultpreemption/default_preemption.go @ v1.36
 * Leaves out: extenders; Pod groups.
 */
import type { PodDisruptionBudget } from "../api/kinds/poddisruptionbudget.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { Cycle } from "./cycle.ts";
import { splitByBudget } from "./preemption-budgets.ts";
import { type Status, status } from "./status.ts";

export interface Candidate {
  readonly node: NodeInfo;
  /** Most important first. */
  readonly victims: readonly PodInfo[];
  /** Victims that a PodDisruptionBudget would protect. */
  readonly violations: number;
}

export interface DryRun {
  readonly candidates: readonly Candidate[];
  /** Why the other Nodes are none. */
  readonly refusals: ReadonlyMap<string, Status>;
}

export interface PreemptionTools {
  runFilters(cycle: Cycle, node: NodeInfo): Status | null;
  readonly budgets: readonly PodDisruptionBudget[];
  /** `status.startTime` in ms; a Pod without one counts as started now. */
  startedAtMs(pod: PodInfo): number;
}

const PLUGIN = "DefaultPreemption";

const NO_VICTIMS = status(
  PLUGIN,
  "UnschedulableAndUnresolvable",
  "No preemption victims found for incoming pod",
);

/** At least so many candidates are looked for: 10 % of the Nodes, or 100. */
export function candidatesToFind(nodes: number): number {
  return Math.min(nodes, Math.max(100, Math.floor(nodes / 10)));
}

/**
 * Tries Nodes from `offset` on until there are `enough` candidates, one at
 * least without a violated budget.
 */
export function dryRun(
  cycle: Cycle,
  nodes: readonly NodeInfo[],
  offset: number,
  enough: number,
  tools: PreemptionTools,
): DryRun {
  const clean: Candidate[] = [];
  const violating: Candidate[] = [];
  const refusals = new Map<string, Status>();
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[(offset + i) % nodes.length]!;
    const found = selectVictims(cycle, node, tools);
    if ("code" in found) refusals.set(node.name, found);
    else (found.violations === 0 ? clean : violating).push(found);
    const total = clean.length + violating.length;
    if (clean.length > 0 && total >= enough) break;
  }
  return { candidates: [...clean, ...violating], refusals };
}

// region: victims
/**
 * Removes all Pods of lower priority; if the Pod then fits, gives back as
 * many as can stay, the most important first, those with a budget before.
 */
export function selectVictims(
  original: Cycle,
  originalNode: NodeInfo,
  tools: PreemptionTools,
): Candidate | Status {
  const { priority } = original.pod;
  const [cycle, node] = [original.clone(), originalNode.clone()];
  const lower = node.pods.filter((pod) => pod.priority < priority);
  for (const pod of lower) cycle.removePod(pod, node);
  if (lower.length === 0) return NO_VICTIMS;
  const refusal = tools.runFilters(cycle, node);
  if (refusal) return refusal;
  const ranked = byImportance(lower, tools);
  const { violating, others } = splitByBudget(ranked, tools.budgets);
  const mustGo = (pod: PodInfo): boolean => {
    cycle.addPod(pod, node);
    if (tools.runFilters(cycle, node) === null) return false;
    cycle.removePod(pod, node);
    return true;
  };
  const protectedVictims = violating.filter(mustGo);
  const victims = [...protectedVictims, ...others.filter(mustGo)];
  if (victims.length === 0) {
    const text = `expected at least one victim pod on node "${node.name}"`;
    return status(PLUGIN, "Error", text);
  }
  return {
    node: originalNode,
    victims: byImportance(victims, tools),
    violations: protectedVictims.length,
  };
}
// endregion: victims

/** Higher priority first; among equals the one that has run longer. */
function byImportance(
  pods: readonly PodInfo[],
  { startedAtMs }: PreemptionTools,
): PodInfo[] {
  return pods.toSorted(
    (a, b) => b.priority - a.priority || startedAtMs(a) - startedAtMs(b),
  );
}

/** Each priority counts so much more, so that fewer victims always win. */
const PRIORITY_BASE = 2 ** 31;

// region: pick
/**
 * The best candidate: fewest budgets violated, then the lowest priority of
 * its most important victim, the smallest sum of priorities, the fewest
 * victims, the youngest among the most important; at last the first.
 */
export function pickCandidate(
  candidates: readonly Candidate[],
  { startedAtMs }: PreemptionTools,
): Candidate | undefined {
  const topPriority = ({ victims }: Candidate) => victims[0]?.priority ?? 0;
  const costs: ((candidate: Candidate) => number)[] = [
    ({ violations }) => violations,
    topPriority,
    ({ victims }) =>
      victims.reduce((sum, pod) => sum + pod.priority + PRIORITY_BASE, 0),
    ({ victims }) => victims.length,
    (candidate) => {
      const top = topPriority(candidate);
      const most = candidate.victims.filter((pod) => pod.priority === top);
      return -Math.min(...most.map(startedAtMs));
    },
  ];
  let left = candidates;
  for (const cost of costs) {
    const lowest = Math.min(...left.map(cost));
    left = left.filter((candidate) => cost(candidate) === lowest);
    if (left.length === 1) break;
  }
  return left[0];
}
// endregion: pick
