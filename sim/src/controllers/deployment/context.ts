/** What the parts of the Deployment controller share. */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";

export interface Context extends ComponentContext {
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  readonly queue: WorkQueue;
}

/** The ReplicaSets of one reconcile, as they are after its own writes. */
export interface Rollout {
  /** With the status conditions that the reconcile has written so far. */
  readonly deployment: Deployment;
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

export function allOf({ newest, old }: Rollout): readonly ReplicaSet[] {
  return newest ? [...old, newest] : old;
}

/** A ReplicaSet and the `spec.replicas` that it gets. */
export interface NewSize {
  readonly rs: ReplicaSet;
  readonly replicas: number;
}
