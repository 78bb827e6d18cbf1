/**
 * One scheduling cycle: the Pod, the cluster as it is now, what the plugins
 * remember, and why Nodes were refused.
 * Models:     pkg/scheduler/framework/{cycle_state,types}.go @ v1.36
 * Leaves out: metrics.
 */
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { Snapshot } from "./cache/snapshot.ts";
import type { FilterPlugin } from "./filter-plugin.ts";
import { type Status, status } from "./status.ts";

/** A filter plugin that takes part in this cycle, with its state. */
export interface ActiveFilter {
  readonly plugin: FilterPlugin;
  readonly state: unknown;
}

export class Cycle {
  readonly pod: PodInfo;
  readonly snapshot: Snapshot;
  readonly diagnosis = new Diagnosis();
  /** Filter plugins that did not skip, in order. */
  filters: ActiveFilter[] = [];
  /** What preFilter made, by plugin; also of plugins without a filter. */
  readonly states = new Map<string, unknown>();
  /** Nodes that come into question; undefined: all. */
  nodeNames: ReadonlySet<string> | undefined;
  /** Plugins that narrowed `nodeNames`. */
  readonly narrowedBy = new Set<string>();
  /** Trace entry of this cycle. */
  causeId = 0;

  constructor(pod: PodInfo, snapshot: Snapshot) {
    this.pod = pod;
    this.snapshot = snapshot;
  }

  /** The same Pod with states that may be changed: for "what if". */
  clone(): Cycle {
    const copy = new Cycle(this.pod, this.snapshot);
    copy.filters = this.filters.map(({ plugin, state }) => ({
      plugin,
      state: plugin.cloneState ? plugin.cloneState(state) : state,
    }));
    return copy;
  }

  /** What if `other` ran on `node` too? Changes the node's copy as well. */
  addPod(other: PodInfo, node: NodeInfo): void {
    node.addPod(other);
    for (const { plugin, state } of this.filters) {
      plugin.addPod?.(other, node, this.pod, state);
    }
  }

  removePod(other: PodInfo, node: NodeInfo): void {
    node.removePod(other);
    for (const { plugin, state } of this.filters) {
      plugin.removePod?.(other, node, this.pod, state);
    }
  }
}

const NOT_LOOKED_AT = status("", "UnschedulableAndUnresolvable");

/** Why a Pod does not fit: a status for each Node that refused it. */
export class Diagnosis {
  readonly nodes = new Map<string, Status>();
  /** Stands for every Node without one of its own. */
  absent: Status = NOT_LOOKED_AT;
  /** Plugins whose events bring the Pod back. */
  readonly unschedulablePlugins = new Set<string>();
  readonly pendingPlugins = new Set<string>();
  preFilterMessage = "";
  postFilterMessage = "";

  refuse(nodeName: string, why: Status): void {
    this.nodes.set(nodeName, why);
    this.note(why);
  }

  note({ plugin, code }: Status): void {
    if (!plugin) return;
    if (code === "Pending") this.pendingPlugins.add(plugin);
    else this.unschedulablePlugins.add(plugin);
  }

  of(nodeName: string): Status {
    return this.nodes.get(nodeName) ?? this.absent;
  }

  /** Nodes where removing Pods could help, in the snapshot's order. */
  resolvable(snapshot: Snapshot): NodeInfo[] {
    return snapshot.nodes.filter(
      ({ name }) => this.of(name).code === "Unschedulable",
    );
  }

  /** The message of FailedScheduling, to the letter. */
  message(nodeCount: number): string {
    let text = `0/${nodeCount} nodes are available:`;
    const reasons = this.preFilterMessage || this.reasonCounts(nodeCount);
    if (reasons) text += ` ${reasons}.`;
    if (this.postFilterMessage) text += ` ${this.postFilterMessage}`;
    return text;
  }

  /** "1 Insufficient memory, 2 Insufficient cpu": sorted as text. */
  private reasonCounts(nodeCount: number): string {
    const counts = new Map<string, number>();
    const count = (why: Status, nodes: number) => {
      for (const reason of why.reasons) {
        counts.set(reason, (counts.get(reason) ?? 0) + nodes);
      }
    };
    for (const why of this.nodes.values()) count(why, 1);
    const rest = nodeCount - this.nodes.size;
    if (rest > 0) count(this.absent, rest);
    const texts = [...counts].map(([reason, nodes]) => `${nodes} ${reason}`);
    return texts.sort().join(", ");
  }
}
