/**
 * VolumeBinding: a Pod's claims must be bound to volumes that its Node can
 * reach. Claims of a class that waits for the first consumer are bound here:
 * to a free volume, or by asking for a new one near the chosen Node.
 * Models:     pkg/scheduler/framework/plugins/volumebinding @ v1.36
 * Leaves out: CSIStorageCapacity; scoring by capacity (off by default).
 */
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import { SKIP, type Status, status } from "../status.ts";
import { bindVolumes, type Decision } from "./volume-bind.ts";
import { sortClaims, volumeClaims } from "./volume-claims.ts";
import { canProvision, findVolume, reaches } from "./volume-match.ts";

const name = "VolumeBinding";

const AFFINITY = "node(s) didn't match PersistentVolume's node affinity";
const NONE_FREE = "node(s) didn't find available persistent volumes to bind";
const NO_VOLUME =
  "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

const CHANGES = Action.Add | Action.Update;

interface State {
  readonly bound: readonly PersistentVolumeClaim[];
  /** To be bound once a Node is chosen. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** What would be bound on each Node that fits. */
  readonly byNode: Map<string, readonly Decision[]>;
}

export function volumeBinding(handle: Handle): Plugin<State> {
  const { listers } = handle;
  /** Volumes that are promised to a claim, by volume name. */
  const promised = new Map<string, string>();
  return {
    name,
    events: [
      { event: clusterEvent("StorageClass", CHANGES) },
      {
        event: clusterEvent("PersistentVolumeClaim", CHANGES),
        hint: (pod, _, now) =>
          now !== undefined &&
          volumeClaims(pod).some(
            ({ key }) =>
              key === `${now.metadata.namespace}/${now.metadata.name}`,
          ),
      },
      { event: clusterEvent("PersistentVolume", CHANGES) },
      { event: clusterEvent("Node", Action.Add | Action.UpdateNodeLabel) },
      { event: clusterEvent("CSINode", CHANGES) },
    ],

    preFilter({ pod }) {
      if (pod.claims.length === 0) return SKIP;
      const sorted = sortClaims(pod.pod, listers);
      if ("problem" in sorted) return refuse(sorted.problem);
      const { bound, delayed, immediate } = sorted;
      if (immediate.length > 0) {
        return refuse("pod has unbound immediate PersistentVolumeClaims");
      }
      return { state: { bound, delayed, byNode: new Map() } };
    },

    filter({ node, name: nodeName }, _, { bound, delayed, byNode }) {
      if (!node) return null;
      const reasons = new Set<string>();
      for (const claim of bound) {
        const volume = listers.volume(claim.spec.volumeName ?? "");
        if (!volume) reasons.add(NO_VOLUME);
        else if (!reaches(volume, node)) reasons.add(AFFINITY);
      }
      const decisions: Decision[] = [];
      const taken = new Set(promised.keys());
      for (const claim of delayed) {
        const volume = findVolume(claim, node, listers, taken);
        if (volume) taken.add(volume.metadata.name);
        if (volume || canProvision(claim, node, listers)) {
          decisions.push({ claim, volume });
        } else reasons.add(NONE_FREE);
      }
      if (reasons.size > 0) return refuse(...reasons);
      byNode.set(nodeName, decisions);
      return null;
    },

    reserve(_, node, state) {
      for (const { volume, claim } of decisionsOf(state, node)) {
        const uid = claim.metadata.uid ?? "";
        if (volume) promised.set(volume.metadata.name, uid);
      }
      return null;
    },

    unreserve(_, node, state) {
      for (const { volume } of decisionsOf(state, node)) {
        if (volume) promised.delete(volume.metadata.name);
      }
    },

    /** Writes the decisions and waits until the volumes are bound. */
    async preBind(_, node, state) {
      const decisions = decisionsOf(state, node);
      if (decisions.length === 0) return null;
      const problem = await bindVolumes(handle, decisions, node.name);
      for (const { volume } of decisions) {
        if (volume) promised.delete(volume.metadata.name);
      }
      return problem ? status(name, "Error", problem) : null;
    },
  };
}

/** A Pod without claims was skipped and has no state. */
function decisionsOf(
  state: State | undefined,
  { name: nodeName }: NodeInfo,
): readonly Decision[] {
  return state?.byNode.get(nodeName) ?? [];
}

function refuse(...reasons: readonly string[]): Status {
  return status(name, "UnschedulableAndUnresolvable", ...reasons);
}
