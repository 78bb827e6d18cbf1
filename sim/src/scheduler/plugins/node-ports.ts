/**
 * NodePorts: two Pods cannot hold the same port of one Node.
 * Models: pkg/scheduler/framework/plugins/nodeports @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { HostPorts } from "../cache/host-ports.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { NO_STATE, type Plugin } from "../framework.ts";
import { SKIP, status } from "../status.ts";

const name = "NodePorts";

const REFUSED = status(
  name,
  "Unschedulable",
  "node(s) didn't have free ports for the requested pod ports",
);

export function nodePorts(): Plugin {
  return {
    name,
    events: [
      {
        event: clusterEvent("AssignedPod", Action.Delete),
        hint: (pod, deleted) => clash(pod, deleted as Pod | undefined),
      },
      { event: clusterEvent("Node", Action.Add) },
    ],

    preFilter: ({ pod }) => (pod.hostPorts.length > 0 ? NO_STATE : SKIP),

    filter(node, { hostPorts }) {
      for (const port of hostPorts) {
        if (node.hostPorts.conflicts(port)) return REFUSED;
      }
      return null;
    },
  };
}

/** Did the deleted Pod hold a port that `pod` wants? */
function clash(pod: Pod, deleted: Pod | undefined): boolean {
  if (!deleted) return true;
  const freed = new HostPorts();
  for (const port of new PodInfo(deleted).hostPorts) freed.count(port, 1);
  return new PodInfo(pod).hostPorts.some((port) => freed.conflicts(port));
}
