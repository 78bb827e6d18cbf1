/**
 * NodeUnschedulable: a cordoned Node takes no new Pod, but for those that
 * tolerate its taint (DaemonSet Pods do).
 * Models: pkg/scheduler/framework/plugins/nodeunschedulable @ v1.36
 */
import {
  TAINT_UNSCHEDULABLE,
  tolerationsTolerate,
} from "../../api/helpers/tolerations.ts";
import type { Node, Taint } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { NO_STATE, type Plugin } from "../framework.ts";
import { SKIP, status } from "../status.ts";

const name = "NodeUnschedulable";

const REFUSED = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) were unschedulable",
);

const CORDON: Taint = { key: TAINT_UNSCHEDULABLE, effect: "NoSchedule" };

// region: plugin
export function nodeUnschedulable(): Plugin {
  return {
    name,
    events: [
      {
        event: clusterEvent("Node", Action.Add | Action.UpdateNodeTaint),
        hint: (pod, _, now) => tolerates(pod) || !isCordoned(now),
      },
      {
        event: clusterEvent("UnscheduledPod", Action.UpdatePodToleration),
        hint: (pod, _, now) =>
          now?.metadata.uid === pod.metadata.uid && tolerates(pod),
      },
    ],

    preFilter: ({ snapshot }) => (snapshot.cordoned > 0 ? NO_STATE : SKIP),

    filter: (node, { pod }) =>
      node.unschedulable && !tolerates(pod) ? REFUSED : null,
  };
}
// endregion: plugin

function tolerates({ spec }: Pod): boolean {
  return tolerationsTolerate(spec.tolerations, CORDON);
}

function isCordoned(object: KubeObject | undefined): boolean {
  return (object as Node | undefined)?.spec?.unschedulable ?? false;
}
