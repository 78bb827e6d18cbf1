/**
 * The status of a ReplicaSet: what it counts, and whether its last change of
 * Pods failed.
 * Models: pkg/controller/replicaset/replica_set_utils.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { ReplicaSetStatus } from "../../api/kinds/types/apps.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Kernel } from "../../kernel/index.ts";
import { equalStatus } from "../shared/equal.ts";
import { untilAvailableMs } from "../shared/pods.ts";
import { withFailure } from "../shared/replica-failure.ts";
import type { Owned } from "./tally.ts";

/** `failure`: why Pods could not be created or deleted. */
export function statusOf(
  rs: ReplicaSet,
  owned: Owned,
  failure: unknown,
  kernel: Pick<Kernel, "now" | "msOf" | "timestamp">,
): ReplicaSetStatus {
  const { active, terminating, labeled, ready } = owned;
  const { minReadySeconds = 0 } = rs.spec;
  const isAvailable = (pod: Pod) =>
    untilAvailableMs(pod, minReadySeconds, kernel) === 0;
  const missing = (rs.spec.replicas ?? 1) - active.length;
  return {
    replicas: active.length,
    fullyLabeledReplicas: labeled,
    readyReplicas: ready,
    // Only with a wait is a Pod ready first and available later.
    availableReplicas:
      minReadySeconds > 0 ? active.filter(isAvailable).length : ready,
    terminatingReplicas: terminating,
    observedGeneration: rs.metadata.generation,
    conditions: withFailure(
      rs.status?.conditions,
      missing,
      failure,
      kernel.timestamp(),
    ),
  };
}

/** Writes the status if it says something new; one retry on a fresh copy. */
export async function updateStatus(
  rs: ReplicaSet,
  status: ReplicaSetStatus,
  { client }: Pick<ComponentContext, "client">,
): Promise<void> {
  if (equalStatus(rs.status, status)) return;
  try {
    await client.updateStatus(ReplicaSet, { ...rs, status });
  } catch {
    const { namespace = "", name } = rs.metadata;
    const fresh = await client.get(ReplicaSet, namespace, name);
    await client.updateStatus(ReplicaSet, { ...fresh, status });
  }
}
