/**
 * The part of a plugin that says whether a Pod may run on a Node, and that
 * preemption asks "what if". The rest of the interface is in framework.ts.
 * Models: kube-scheduler/framework/interface.go (FilterPlugin,
 *         PreFilterExtensions) @ v1.36
 */
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { Status } from "./status.ts";

/** `F`: what preFilter prepared for this cycle. */
export interface FilterPlugin<F = unknown> {
  readonly name: string;
  /** May the Pod run on this Node? null: yes. */
  filter?(node: NodeInfo, pod: PodInfo, state: F): Status | null;
  /** A copy that `addPod` and `removePod` may change. */
  cloneState?(state: F): F;
  /** "What if that Pod ran on that Node too?" */
  addPod?(other: PodInfo, node: NodeInfo, pod: PodInfo, state: F): void;
  removePod?(other: PodInfo, node: NodeInfo, pod: PodInfo, state: F): void;
}
