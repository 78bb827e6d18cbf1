/**
 * Cluster events: what happened, told to the queue, so that it knows which
 * waiting Pods are worth another try. Each plugin registers the events that
 * can undo its own refusals, with a hint that looks closer.
 * Models:     kube-scheduler/framework/types.go, pkg/scheduler/framework/
 *             events.go @ v1.36
 * Leaves out: events of dynamic resources and of Pod groups.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { KubeObject } from "../api/types.ts";

export type EventResource =
  | "AssignedPod"
  | "UnscheduledPod"
  | "Node"
  | "PersistentVolume"
  | "PersistentVolumeClaim"
  | "StorageClass"
  | "CSINode"
  | "VolumeAttachment"
  | "Namespace"
  | "*";

/** What was done to the resource: a bit each, so that they can be joined. */
export const Action = {
  Add: 1,
  Delete: 2,
  UpdateNodeAllocatable: 4,
  UpdateNodeLabel: 8,
  UpdateNodeTaint: 16,
  UpdateNodeCondition: 32,
  UpdatePodLabel: 64,
  UpdatePodScaleDown: 128,
  UpdatePodToleration: 256,
  UpdatePodSchedulingGatesEliminated: 512,
  /** Any other change. */
  UpdateOther: 1024,
  Update: 4 + 8 + 16 + 32 + 64 + 128 + 256 + 512 + 1024,
  All: 2047,
} as const;

export interface ClusterEvent {
  readonly resource: EventResource;
  /** One or several of `Action`. */
  readonly action: number;
}

/** Asked when the event came: is the Pod worth another try now? */
export type QueueingHint = (
  pod: Pod,
  old: KubeObject | undefined,
  now: KubeObject | undefined,
) => boolean;

/** An event that a plugin wants to hear of; without a hint it always queues. */
export interface EventWithHint {
  readonly event: ClusterEvent;
  readonly hint?: QueueingHint;
}

export function clusterEvent(
  resource: EventResource,
  action: number,
): ClusterEvent {
  return Object.freeze({ resource, action });
}

/** Moves every waiting Pod, whatever refused it. */
export const EVERYTHING = clusterEvent("*", Action.All);

/** Did the registered event cover what happened? */
export function coversEvent(
  registered: ClusterEvent,
  happened: ClusterEvent,
): boolean {
  if (registered.resource !== "*" && registered.resource !== happened.resource)
    return false;
  return (registered.action & happened.action) !== 0;
}

export function isWildcard({ resource, action }: ClusterEvent): boolean {
  return resource === "*" && action === Action.All;
}
