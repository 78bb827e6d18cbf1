/**
 * The profile: which plugins run, in which order, and how much each score
 * weighs. To try a plugin of your own, put its file into plugins/ and a line
 * for it here; to try a world without one, take its line away.
 * Models:     pkg/scheduler/apis/config/v1/default_plugins.go @ v1.36
 * Leaves out: NodeDeclaredFeatures, plugins per extension point.
 * Try:        give ImageLocality weight 10; take TaintToleration away.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { Labels } from "../api/types.ts";
import { Action, clusterEvent } from "./cluster-events.ts";
import type { Plugin } from "./framework.ts";
import type { Handle } from "./handle.ts";
import { balancedAllocation } from "./plugins/balanced-allocation.ts";
import { defaultBinder } from "./plugins/default-binder.ts";
import { defaultPreemption } from "./plugins/default-preemption.ts";
import { dynamicResources } from "./plugins/dynamic-resources.ts";
import { imageLocality } from "./plugins/image-locality.ts";
import { interPodAffinity } from "./plugins/inter-pod-affinity.ts";
import { nodeAffinity } from "./plugins/node-affinity.ts";
import { nodeName } from "./plugins/node-name.ts";
import { nodePorts } from "./plugins/node-ports.ts";
import { nodeResourcesFit } from "./plugins/node-resources-fit.ts";
import { nodeUnschedulable } from "./plugins/node-unschedulable.ts";
import { nodeVolumeLimits } from "./plugins/node-volume-limits.ts";
import { podTopologySpread } from "./plugins/pod-topology-spread.ts";
import { prioritySort } from "./plugins/priority-sort.ts";
import { schedulingGates } from "./plugins/scheduling-gates.ts";
import { taintToleration } from "./plugins/taint-toleration.ts";
import { volumeBinding } from "./plugins/volume-binding.ts";
import { volumeRestrictions } from "./plugins/volume-restrictions.ts";
import { volumeZone } from "./plugins/volume-zone.ts";
import { SKIP, status } from "./status.ts";

export interface ProfileEntry {
  readonly make: (handle: Handle) => Plugin;
  /** The plugin's scores are multiplied by this. */
  readonly weight: number;
}

export interface Profile {
  /** Pods name it in `spec.schedulerName`. */
  readonly schedulerName: string;
  readonly plugins: readonly ProfileEntry[];
  /** 0: by the number of Nodes, 50 % down to 5 %. */
  readonly percentageOfNodesToScore: number;
}

function plugin(make: ProfileEntry["make"], weight = 1): ProfileEntry {
  return { make, weight };
}

const RACK = "example.com/rack";
const LICENSE = "example.com/license";
/** Pods of one rack that may use the program at the same time. */
const MOST = 2;

const NONE_LEFT = status(
  "Licenses",
  "Unschedulable",
  "node(s) had no license left in their rack",
);

/** Pods with a license, by rack. */
type Taken = Map<string, number>;

/** At most two Pods with the label LICENSE in each rack. */
function licenses(): Plugin<Taken> {
  const wants = (pod: Pod | undefined) => !!pod?.metadata.labels?.[LICENSE];
  return {
    name: "Licenses",
    events: [
      {
        event: clusterEvent("AssignedPod", Action.Delete),
        hint: (_, old) => wants(old as Pod | undefined),
      },
      { event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel) },
    ],

    preFilter({ pod, snapshot }) {
      if (!wants(pod.pod)) return SKIP;
      const taken: Taken = new Map();
      for (const { labels, pods } of snapshot.nodes) {
        const rack = labels[RACK] ?? "";
        const count = pods.filter((one) => wants(one.pod)).length;
        taken.set(rack, (taken.get(rack) ?? 0) + count);
      }
      return { state: taken };
    },

    filter({ labels }, _, taken) {
      const count = taken.get(labels[RACK] ?? "") ?? 0;
      return count < MOST ? null : NONE_LEFT;
    },

    // For preemption, which asks what would be if a Pod were not there.
    cloneState: (taken) => new Map(taken),
    addPod: (other, node, _, taken) => change(other.pod, node.labels, 1, taken),
    removePod: (other, node, _, taken) =>
      change(other.pod, node.labels, -1, taken),
  };

  function change(other: Pod, labels: Labels, by: number, taken: Taken): void {
    const rack = labels[RACK] ?? "";
    if (wants(other)) taken.set(rack, (taken.get(rack) ?? 0) + by);
  }
}

// region: profile
export const defaultProfile: Profile = {
  schedulerName: "default-scheduler",
  percentageOfNodesToScore: 0,
  plugins: [
    plugin(schedulingGates),
    plugin(prioritySort),
    plugin(licenses),
    plugin(nodeUnschedulable),
    plugin(nodeName),
    plugin(taintToleration, 3),
    plugin(nodeAffinity, 2),
    plugin(nodePorts),
    plugin(nodeResourcesFit, 1),
    plugin(volumeRestrictions),
    plugin(nodeVolumeLimits),
    plugin(volumeBinding),
    plugin(volumeZone),
    plugin(podTopologySpread, 2),
    plugin(interPodAffinity, 2),
    plugin(dynamicResources, 2),
    plugin(defaultPreemption),
    plugin(balancedAllocation, 1),
    plugin(imageLocality, 1),
    plugin(defaultBinder),
  ],
};
// endregion: profile
