/**
 * What plugins may read of the cluster during one cycle.
 * Models:     kube-scheduler/framework/listers.go (SharedLister) @ v1.36
 * Leaves out: the copy. A cycle is one step of the kernel, so nothing can
 *             change under it, and the cache itself can be read.
 */
import type { NodeInfo } from "./node-info.ts";
import type { PodCounts } from "./pod-counts.ts";
import type { Topology } from "./topology.ts";

export interface Snapshot {
  /** Zone by zone in turn, so that neighbours in the list are far apart. */
  readonly nodes: readonly NodeInfo[];
  get(nodeName: string): NodeInfo | undefined;
  /** Nodes with a Pod that has any Pod affinity. */
  readonly withAffinity: ReadonlySet<NodeInfo>;
  /** Nodes with a Pod that keeps others away. */
  readonly withRequiredAntiAffinity: ReadonlySet<NodeInfo>;
  /** Nodes with `spec.unschedulable`. */
  readonly cordoned: number;
  /** Nodes with a taint that keeps Pods away, or that only asks them to. */
  readonly hardTainted: number;
  readonly softTainted: number;
  /** Images that some Node has. */
  readonly imageCount: number;
  /** Nodes that have the image. */
  imageNodeCount(image: string): number;
  /** True if some Pod on any Node uses the claim. */
  claimInUse(claim: string): boolean;
  /** Counts of Pods by selector, kept up to date. */
  readonly counts: PodCounts;
  /** Nodes by a label's value. */
  topology(key: string): Topology;
}
