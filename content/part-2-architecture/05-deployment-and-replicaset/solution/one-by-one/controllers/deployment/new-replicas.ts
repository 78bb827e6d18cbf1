/**
 * How large the new ReplicaSet may be now.
 * Models: pkg/controller/deployment/util/deployment_util.go
 *         (NewRSNewReplicas) @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { isRollingUpdate, replicasOf } from "./fenceposts.ts";
import { desiredCount } from "./replicasets.ts";

// region: new-replicas
/** Up to `spec.replicas`, as far as the surge leaves room. */
export function newReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newest: ReplicaSet,
): number {
  const wanted = replicasOf(deployment);
  const current = replicasOf(newest);
  if (!isRollingUpdate(deployment)) return wanted;
  // One more, whatever maxSurge says.
  const room = wanted + 1 - desiredCount(all);
  if (room <= 0) return current;
  return current + Math.min(room, wanted - current);
}
// endregion: new-replicas
