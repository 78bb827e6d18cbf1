/**
 * The status of a ReplicationController, and when to look again.
 * Models: pkg/controller/replicaset/replica_set_utils.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { ReplicationController } from "../../api/kinds/replicationcontroller.ts";
import { setSelector } from "../../api/selector.ts";
import type { ComponentContext } from "../../client/component.ts";
import { equalStatus } from "../shared/equal.ts";
import { isReady, untilAvailableMs } from "../shared/pods.ts";
import { withFailure } from "../shared/replica-failure.ts";

/** `failure`: why Pods could not be created or deleted. */
export async function updateStatus(
  rc: ReplicationController,
  active: readonly Pod[],
  failure: unknown,
  { client, kernel }: Pick<ComponentContext, "client" | "kernel">,
): Promise<void> {
  const { metadata, spec } = rc;
  const template = setSelector(spec.template?.metadata?.labels ?? {});
  const { minReadySeconds = 0, replicas = 1 } = spec;
  const status = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) =>
      template.matches(pod.metadata.labels),
    ).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter(
      (pod) => untilAvailableMs(pod, minReadySeconds, kernel) === 0,
    ).length,
    observedGeneration: metadata.generation,
    conditions: withFailure(
      rc.status?.conditions,
      replicas - active.length,
      failure,
      kernel.timestamp(),
    ),
  };
  if (equalStatus(rc.status, status)) return;
  const { namespace = "", name } = metadata;
  try {
    await client.updateStatus(ReplicationController, { ...rc, status });
  } catch {
    const fresh = await client.get(ReplicationController, namespace, name);
    await client.updateStatus(ReplicationController, { ...fresh, status });
  }
}

/** Ms until the next Pod that is ready becomes available, if one waits. */
export function nextAvailableMs(
  { spec }: ReplicationController,
  active: readonly Pod[],
  { kernel }: Pick<ComponentContext, "kernel">,
): number | undefined {
  const { minReadySeconds = 0 } = spec;
  const waits = active
    .map((pod) => untilAvailableMs(pod, minReadySeconds, kernel) ?? 0)
    .filter((ms) => ms > 0);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}
