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

/** Selectors kept; beyond that the oldest is dropped. */
const KEPT_MAX = 256;

/** Counts by Node; a Node that is absent has none. */
export type CountsByNode = ReadonlyMap<NodeInfo, number>;

interface Entry {
  readonly namespace: string;
  readonly selector: LabelSelector;
  readonly byNode: Map<NodeInfo, number>;
  /** Label key to its values to sums over the Nodes that have them. */
  readonly byTopology: Map<string, Map<string, number>>;
}

export class PodCounts {
  private readonly entries = new Map<string, Entry>();
  private readonly byNamespace = new Map<string, Set<Entry>>();
  private readonly nodes: () => Iterable<NodeInfo>;

  constructor(nodes: () => Iterable<NodeInfo>) {
    this.nodes = nodes;
  }

  /** Pods that are not being deleted; an empty selector counts none. */
  byNode(namespace: string, selector: LabelSelector): CountsByNode {
    return this.entry(namespace, selector).byNode;
  }

  /** The same summed by the Nodes' label `key`; Nodes without it are "". */
  byTopology(
    namespace: string,
    selector: LabelSelector,
    key: string,
  ): ReadonlyMap<string, number> {
    const { byNode, byTopology } = this.entry(namespace, selector);
    let sums = byTopology.get(key);
    if (sums) return sums;
    sums = new Map();
    for (const [node, count] of byNode) addTo(sums, node.labels[key], count);
    byTopology.set(key, sums);
    return sums;
  }

  /** A Node's labels changed, or a Node went: all is counted anew. */
  forget(): void {
    this.entries.clear();
    this.byNamespace.clear();
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

  added(pod: PodInfo, node: NodeInfo): void {
    this.change(pod, node, 1);
  }

  removed(pod: PodInfo, node: NodeInfo): void {
    this.change(pod, node, -1);
  }

  private change(pod: PodInfo, node: NodeInfo, by: number): void {
    const entries = this.byNamespace.get(pod.namespace);
    if (!entries || pod.terminating || !node.node) return;
    for (const { selector, byNode, byTopology } of entries) {
      if (!selector.matches(pod.pod.metadata.labels)) continue;
      for (const [key, sums] of byTopology) addTo(sums, node.labels[key], by);
      const left = (byNode.get(node) ?? 0) + by;
      if (left > 0) byNode.set(node, left);
      else byNode.delete(node);
    }
  }

  private build(namespace: string, selector: LabelSelector): Entry {
    const byNode = new Map<NodeInfo, number>();
    const entry: Entry = { namespace, selector, byNode, byTopology: new Map() };
    if (selector.empty) return entry;
    for (const node of this.nodes()) {
      if (!node.node) continue;
      let count = 0;
      for (const pod of node.pods) {
        if (pod.terminating || pod.namespace !== namespace) continue;
        if (selector.matches(pod.pod.metadata.labels)) count++;
      }
      if (count > 0) byNode.set(node, count);
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

function addTo(sums: Map<string, number>, value = "", count = 0): void {
  sums.set(value, (sums.get(value) ?? 0) + count);
}
