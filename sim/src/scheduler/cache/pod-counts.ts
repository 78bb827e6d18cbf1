/**
 * How many Pods of a namespace match a selector, Node by Node, kept current
 * as Pods come and go. Spreading asks this for every Pod that is scheduled;
 * counting anew each time would cost a look at every Pod of the cluster.
 * Models:     countPodsMatchSelector in pkg/scheduler/framework/plugins/
 *             podtopologyspread/common.go @ v1.36, which counts anew
 * Leaves out: nothing: the numbers are the same.
 */
import type { LabelSelector } from "../../api/selector.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import type { Topology } from "./topology.ts";

/** Selectors kept; beyond that the oldest is dropped. */
const KEPT_MAX = 256;

/** Counts by the Nodes' rows, or by domain; what is absent is 0. */
export type Counts = readonly number[];

interface Entry {
  readonly namespace: string;
  readonly selector: LabelSelector;
  readonly byRow: number[];
  readonly byDomain: Map<Topology, number[]>;
}

export class PodCounts {
  private readonly entries = new Map<string, Entry>();
  private readonly byNamespace = new Map<string, Set<Entry>>();
  private readonly nodes: () => Iterable<NodeInfo>;

  constructor(nodes: () => Iterable<NodeInfo>) {
    this.nodes = nodes;
  }

  /** Pods that are not being deleted; an empty selector counts none. */
  byNode(namespace: string, selector: LabelSelector): Counts {
    return this.entry(namespace, selector).byRow;
  }

  /** The same summed over the Nodes of each domain. */
  byDomain(
    namespace: string,
    selector: LabelSelector,
    topology: Topology,
  ): Counts {
    const { byRow, byDomain } = this.entry(namespace, selector);
    let sums = byDomain.get(topology);
    if (sums) return sums;
    sums = [];
    for (const { row } of this.nodes()) {
      add(sums, topology.domainOf[row] ?? 0, byRow[row] ?? 0);
    }
    byDomain.set(topology, sums);
    return sums;
  }

  /** A Node's labels changed, or a Node went: all is counted anew. */
  forget(): void {
    this.entries.clear();
    this.byNamespace.clear();
  }

  added(pod: PodInfo, node: NodeInfo): void {
    this.change(pod, node, 1);
  }

  removed(pod: PodInfo, node: NodeInfo): void {
    this.change(pod, node, -1);
  }

  private change(pod: PodInfo, { node, row }: NodeInfo, by: number): void {
    const entries = this.byNamespace.get(pod.namespace);
    if (!entries || pod.terminating || !node) return;
    for (const { selector, byRow, byDomain } of entries) {
      if (!selector.matches(pod.pod.metadata.labels)) continue;
      add(byRow, row, by);
      for (const [{ domainOf }, sums] of byDomain) {
        add(sums, domainOf[row] ?? 0, by);
      }
    }
  }

  private entry(namespace: string, selector: LabelSelector): Entry {
    const key = `${namespace}|${selector.empty}|${selector}`;
    let entry = this.entries.get(key);
    if (entry) return entry;
    entry = this.build(namespace, selector);
    this.entries.set(key, entry);
    if (this.entries.size > KEPT_MAX) this.dropOldest();
    return entry;
  }

  private build(namespace: string, selector: LabelSelector): Entry {
    const byRow: number[] = [];
    const entry: Entry = { namespace, selector, byRow, byDomain: new Map() };
    if (selector.empty) return entry;
    for (const node of this.nodes()) {
      let count = 0;
      for (const pod of node.node ? node.pods : []) {
        if (pod.terminating || pod.namespace !== namespace) continue;
        if (selector.matches(pod.pod.metadata.labels)) count++;
      }
      add(byRow, node.row, count);
    }
    const known = this.byNamespace.get(namespace);
    if (known) known.add(entry);
    else this.byNamespace.set(namespace, new Set([entry]));
    return entry;
  }

  private dropOldest(): void {
    const [oldest] = this.entries;
    if (!oldest) return;
    const [key, entry] = oldest;
    this.entries.delete(key);
    this.byNamespace.get(entry.namespace)?.delete(entry);
  }
}

/** Adds at `at`; the array grows with zeros, so that it stays dense. */
function add(counts: number[], at: number, by: number): void {
  while (counts.length <= at) counts.push(0);
  counts[at]! += by;
}
