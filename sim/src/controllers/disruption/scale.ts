/**
 * The sizes of the controllers that Pods belong to, each counted once.
 * Models: pkg/controller/disruption/disruption.go (getExpectedScale) @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { ReplicationController } from "../../api/kinds/replicationcontroller.ts";
import type { StatefulSet } from "../../api/kinds/statefulset.ts";
import { controllerOf } from "../../api/types.ts";
import type { Informer } from "../../client/informer.ts";
import { controllerIn } from "../shared/owners.ts";

export interface Scalables {
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly statefulSets: Informer<StatefulSet>;
  readonly replicationControllers: Informer<ReplicationController>;
}

/** Throws for a Pod whose controller is of no known kind. */
export function expectedScale(
  pods: readonly Pod[],
  scalables: Scalables,
): { scale: number; unmanaged: string[] } {
  const sizes = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (!owner) unmanaged.push(pod.metadata.name);
    if (!owner || sizes.has(owner.uid)) continue;
    const found = sizeOf(pod, scalables);
    if (!found) {
      throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
    }
    sizes.set(owner.uid, 0);
    sizes.set(found.uid, found.size);
  }
  const scale = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { scale, unmanaged };
}

/** A ReplicaSet of a Deployment counts as the Deployment. */
function sizeOf(
  pod: Pod,
  scalables: Scalables,
): { uid: string; size: number } | undefined {
  const rs = controllerIn(scalables.replicaSets, pod);
  const owner =
    (rs && controllerIn(scalables.deployments, rs)) ??
    rs ??
    controllerIn(scalables.statefulSets, pod) ??
    controllerIn(scalables.replicationControllers, pod);
  if (!owner) return undefined;
  return { uid: owner.metadata.uid ?? "", size: owner.spec.replicas ?? 1 };
}
