/** What the parts of the DaemonSet controller share. */
import type { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import type { DaemonSet } from "../../api/kinds/daemonset.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Expectations } from "../../client/expectations.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";

export interface Context extends ComponentContext {
  readonly sets: Informer<DaemonSet>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly revisions: Informer<ControllerRevision>;
  readonly expectations: Expectations;
  readonly queue: WorkQueue;
  /** When a failed Pod of a set and Node may be deleted again. */
  readonly failedBackoff: Map<string, { waitMs: number; atMs: number }>;
}

/** Pods of the set by the Node that they are for. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;
