/**
 * TaintToleration: taints NoSchedule and NoExecute keep Pods away that do not
 * tolerate them; each PreferNoSchedule taint makes a Node less liked.
 * Models: pkg/scheduler/framework/plugins/tainttoleration @ v1.36
 */
import {
  findUntoleratedTaint,
  keepsPodsAway,
  tolerationsTolerate,
} from "../../api/helpers/tolerations.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod, Toleration } from "../../api/kinds/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { defaultNormalize, type Plugin } from "../framework.ts";
import { status } from "../status.ts";

const name = "TaintToleration";

const REFUSED = status(
  name,
  "UnschedulableAndUnresolvable",
  "node(s) had untolerated taint(s)",
);

/** Tolerations that can cover a PreferNoSchedule taint. */
type Preferring = readonly Toleration[];

export function taintToleration(): Plugin<undefined, Preferring> {
  return {
    name,
    events: [
      {
        event: clusterEvent("Node", Action.Add | Action.UpdateNodeTaint),
        hint: (pod, old, now) =>
          toleratesAll(pod, now) && !(old && toleratesAll(pod, old)),
      },
      {
        event: clusterEvent("UnscheduledPod", Action.UpdatePodToleration),
        hint: (pod, _, now) => now?.metadata.uid === pod.metadata.uid,
      },
    ],

    filter(node, { pod }) {
      const { hardTaints } = node;
      if (hardTaints.length === 0) return null;
      for (const taint of hardTaints) {
        if (!tolerationsTolerate(pod.spec.tolerations, taint)) return REFUSED;
      }
      return null;
    },

    preScore: ({ pod }) => ({
      state: (pod.pod.spec.tolerations ?? []).filter(
        ({ effect }) => !effect || effect === "PreferNoSchedule",
      ),
    }),

    score(node, _, tolerations) {
      let intolerable = 0;
      for (const taint of node.softTaints) {
        if (!tolerationsTolerate(tolerations, taint)) intolerable++;
      }
      return intolerable;
    },

    normalizeScore: (scores) => defaultNormalize(scores, true),
  };
}

function toleratesAll(pod: Pod, object: KubeObject | undefined): boolean {
  const taints = (object as Node | undefined)?.spec?.taints;
  const { tolerations } = pod.spec;
  return !findUntoleratedTaint(taints, tolerations, keepsPodsAway);
}
