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
import {
  defaultNormalize,
  MAX_NODE_SCORE,
  NO_STATE,
  type Plugin,
} from "../framework.ts";
import { SKIP, status } from "../status.ts";

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

    preFilter: ({ snapshot }) => (snapshot.hardTainted > 0 ? NO_STATE : SKIP),

    filter(node, { pod }) {
      for (const taint of node.hardTaints) {
        if (!tolerationsTolerate(pod.spec.tolerations, taint)) return REFUSED;
      }
      return null;
    },

    preScore({ pod, snapshot }) {
      if (snapshot.softTainted === 0) return { same: MAX_NODE_SCORE };
      const tolerations = pod.pod.spec.tolerations ?? [];
      return {
        state: tolerations.filter(
          ({ effect }) => !effect || effect === "PreferNoSchedule",
        ),
      };
    },

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
