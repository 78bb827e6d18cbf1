/**
 * Finds the Nodes that a Pod fits on; in a large cluster not all of them,
 * but enough. Each search begins where the last one stopped.
 * Models:     findNodesThatFitPod in pkg/scheduler/schedule_one.go @ v1.36
 * Leaves out: extenders; hints of earlier equal Pods (opportunistic batching).
 */
import type { NodeInfo } from "./cache/node-info.ts";
import type { Cycle } from "./cycle.ts";
import type { Runtime } from "./runtime.ts";
import { status } from "./status.ts";

/** Fewer Nodes than this are all looked at. */
const NODES_MIN = 100;
const PERCENTAGE_MIN = 5;

/** How many fitting Nodes are enough. */
export function nodesToFind(nodeCount: number, percentage = 0): number {
  if (nodeCount < NODES_MIN) return nodeCount;
  const adaptive = 50 - Math.floor(nodeCount / 125);
  const share = percentage || Math.max(adaptive, PERCENTAGE_MIN);
  return Math.max(NODES_MIN, Math.floor((nodeCount * share) / 100));
}

export class NodeFinder {
  private readonly runtime: Runtime;
  /** Where the next search begins. */
  private start = 0;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** The Nodes that fit; what refused the others is in `cycle.diagnosis`. */
  find(cycle: Cycle): NodeInfo[] {
    const { snapshot, diagnosis, pod } = cycle;
    const refusal = this.runtime.preFilter(cycle);
    if (refusal) {
      diagnosis.absent = refusal;
      diagnosis.preFilterMessage = refusal.reasons.join(", ");
      diagnosis.note(refusal);
      return [];
    }
    const nominated = pod.pod.status?.nominatedNodeName;
    const first = nominated ? snapshot.get(nominated) : undefined;
    if (first && this.passes(cycle, first)) return [first];
    const feasible = this.search(cycle, this.candidates(cycle));
    const seen = feasible.length + diagnosis.nodes.size;
    this.start = (this.start + seen) % snapshot.nodes.length;
    return feasible;
  }

  /** All Nodes, or those that preFilter plugins named. */
  private candidates(cycle: Cycle): readonly NodeInfo[] {
    const { snapshot, nodeNames, narrowedBy, diagnosis } = cycle;
    if (!nodeNames) return snapshot.nodes;
    for (const plugin of narrowedBy) diagnosis.unschedulablePlugins.add(plugin);
    diagnosis.absent = status(
      "",
      "UnschedulableAndUnresolvable",
      `node(s) didn't satisfy plugin(s) [${[...narrowedBy].sort().join(" ")}]`,
    );
    const named: NodeInfo[] = [];
    for (const name of nodeNames) {
      const node = snapshot.get(name);
      if (node) named.push(node);
    }
    return named;
  }

  // region: search
  private search(cycle: Cycle, nodes: readonly NodeInfo[]): NodeInfo[] {
    const { length } = nodes;
    const { percentageOfNodesToScore } = this.runtime.profile;
    const enough = nodesToFind(length, percentageOfNodesToScore);
    const feasible: NodeInfo[] = [];
    let at = length > 0 ? this.start % length : 0;
    let found = 0;
    for (let seen = 0; seen < length && found < enough; seen++) {
      const node = nodes[at]!;
      if (++at === length) at = 0;
      if (this.passes(cycle, node)) found = feasible.push(node);
    }
    return feasible;
  }
  // endregion: search

  private passes(cycle: Cycle, node: NodeInfo): boolean {
    const refusal = this.runtime.filterWithNominated(cycle, node);
    if (refusal === null) return true;
    cycle.diagnosis.refuse(node.name, refusal);
    return false;
  }
}
