/**
 * What changed in a Pod or a Node, as far as scheduling is concerned.
 * Models: pkg/scheduler/framework/events.go @ v1.36
 */
import { podRequests } from "../api/helpers/pod-requests.ts";
import type { Node } from "../api/kinds/node.ts";
import type { Pod } from "../api/kinds/pod.ts";
import {
  Action,
  type ClusterEvent,
  clusterEvent,
  type EventResource,
} from "./cluster-events.ts";

/** One event for each property that changed; one of "other" if none did. */
export function podChanges(old: Pod, now: Pod): ClusterEvent[] {
  const resource: EventResource = now.spec.nodeName
    ? "AssignedPod"
    : "UnscheduledPod";
  const actions: number[] = [];
  if (!same(old.metadata.labels, now.metadata.labels)) {
    actions.push(Action.UpdatePodLabel);
  }
  if (old.spec !== now.spec || old.status !== now.status) {
    if (asksForLess(old, now)) actions.push(Action.UpdatePodScaleDown);
  }
  if (!same(old.spec.tolerations, now.spec.tolerations)) {
    actions.push(Action.UpdatePodToleration);
  }
  const gates = old.spec.schedulingGates?.length ?? 0;
  if (gates > 0 && !now.spec.schedulingGates?.length) {
    actions.push(Action.UpdatePodSchedulingGatesEliminated);
  }
  if (actions.length === 0) actions.push(Action.UpdateOther);
  return actions.map((action) => clusterEvent(resource, action));
}

/** One event for each property that changed. */
export function nodeChanges(old: Node, now: Node): ClusterEvent[] {
  let action = 0;
  if (
    old.spec?.unschedulable !== now.spec?.unschedulable ||
    !same(old.spec?.taints, now.spec?.taints)
  ) {
    action |= Action.UpdateNodeTaint;
  }
  if (!same(old.status?.allocatable, now.status?.allocatable)) {
    action |= Action.UpdateNodeAllocatable;
  }
  if (!same(old.metadata.labels, now.metadata.labels)) {
    action |= Action.UpdateNodeLabel;
  }
  return action === 0 ? [] : [clusterEvent("Node", action)];
}

function asksForLess(old: Pod, now: Pod): boolean {
  const before = podRequests(old);
  const after = podRequests(now);
  for (const [name, amount] of before) {
    if ((after.get(name) ?? 0) < amount) return true;
  }
  return false;
}

/** Equal in content. Unchanged parts are shared, so this is mostly `===`. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
