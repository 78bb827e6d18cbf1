/**
 * The status of a StatefulSet.
 * Models: pkg/controller/statefulset/stateful_set_control.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { StatefulSetStatus } from "../../api/kinds/types/apps.ts";
import { isConflict } from "../../api/status.ts";
import { equalStatus } from "../shared/equal.ts";
import { isReady, untilAvailableMs } from "../shared/pods.ts";
import type { Context, Revisions } from "./context.ts";
import { revisionOf } from "./identity.ts";

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isReady(pod);
}

export function isAvailable(
  set: StatefulSet,
  pod: Pod,
  { kernel }: Pick<Context, "kernel">,
): boolean {
  const { minReadySeconds = 0 } = set.spec;
  if (!isRunningAndReady(pod)) return false;
  return untilAvailableMs(pod, minReadySeconds, kernel) === 0;
}

export function isTerminating({ metadata }: Pod): boolean {
  return !!metadata.deletionTimestamp;
}

/** Counts over the Pods that exist. */
export function statusOf(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update, collisionCount }: Revisions,
  ctx: Pick<Context, "kernel">,
): StatefulSetStatus {
  const alive = pods.filter((pod) => !isTerminating(pod));
  const ofRevision = (name: string) =>
    alive.filter((pod) => revisionOf(pod) === name).length;
  const currentRevision = current.metadata.name;
  const updateRevision = update.metadata.name;
  return {
    observedGeneration: set.metadata.generation,
    replicas: pods.length,
    readyReplicas: pods.filter(isRunningAndReady).length,
    availableReplicas: pods.filter((pod) => isAvailable(set, pod, ctx)).length,
    currentReplicas: ofRevision(currentRevision),
    updatedReplicas: ofRevision(updateRevision),
    ...{ currentRevision, updateRevision, collisionCount },
    conditions: set.status?.conditions,
  };
}

/** When all Pods have the new template, it is the current one. */
function whenRolledOut(
  set: StatefulSet,
  status: StatefulSetStatus,
): StatefulSetStatus {
  const { replicas = 1, updateStrategy } = set.spec;
  const done =
    updateStrategy?.type === "RollingUpdate" &&
    status.updatedReplicas === replicas &&
    status.readyReplicas === replicas &&
    status.replicas === replicas;
  if (!done) return status;
  return {
    ...status,
    currentReplicas: status.updatedReplicas,
    currentRevision: status.updateRevision,
  };
}

/** Writes the status if it says something new; again after a conflict. */
export async function updateStatus(
  set: StatefulSet,
  counted: StatefulSetStatus,
  { client }: Context,
): Promise<void> {
  const status = whenRolledOut(set, counted);
  if (equalStatus(set.status, status)) return;
  try {
    await client.updateStatus(StatefulSet, { ...set, status });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { namespace = "", name } = set.metadata;
    const fresh = await client.get(StatefulSet, namespace, name);
    await client.updateStatus(StatefulSet, { ...fresh, status });
  }
}
