/**
 * Two statuses of a Node side by side: is there anything to write?
 * Models: nodeStatusHasChanged, pkg/kubelet/kubelet_node_status.go @ v1.36
 */
import type { NodeStatus } from "../../api/kinds/node.ts";
import { equal } from "../equal.ts";

export function isReady(status: NodeStatus): boolean {
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True";
}

/** Without the time of the heartbeat, which always differs. */
export function comparable(status: NodeStatus): NodeStatus {
  const conditions = status.conditions?.map((condition) => ({
    ...condition,
    lastHeartbeatTime: "",
  }));
  return { ...status, conditions };
}

/** Nobody wrote other conditions than ours. */
export function agree(theirs: NodeStatus, ours: NodeStatus): boolean {
  return (ours.conditions ?? []).every(({ type, status }) => {
    const found = theirs.conditions?.find((one) => one.type === type);
    return found?.status === status;
  });
}

/** Fields that differ; conditions merge by type on the server. */
export function changed(from: NodeStatus, to: NodeStatus): object {
  const before = from as Readonly<Record<string, unknown>>;
  const entries = Object.entries(to);
  const found = entries.filter(([key, value]) => !equal(before[key], value));
  // Of what may be absent, this alone is ours.
  const none = from.volumesInUse && !to.volumesInUse;
  if (none) found.push(["volumesInUse", null]);
  return Object.fromEntries(found);
}
