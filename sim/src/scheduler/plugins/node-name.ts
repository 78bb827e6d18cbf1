/**
 * NodeName: a Pod that names its Node runs on no other.
 * Such a Pod usually never comes here: it is bound already.
 * Models: pkg/scheduler/framework/plugins/nodename @ v1.36
 */
import { Action, clusterEvent } from "../cluster-events.ts";
import { NO_STATE, type Plugin } from "../framework.ts";
import { SKIP, status } from "../status.ts";

const name = "NodeName";

const REFUSED = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) didn't match the requested node name",
);

export function nodeName(): Plugin {
  return {
    name,
    events: [{ event: clusterEvent("Node", Action.Add) }],

    preFilter: ({ pod }) => (pod.pod.spec.nodeName ? NO_STATE : SKIP),

    filter: (node, { pod }) =>
      pod.spec.nodeName === node.name ? null : REFUSED,
  };
}
