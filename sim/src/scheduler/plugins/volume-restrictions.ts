/**
 * VolumeRestrictions: a ReadWriteOncePod claim serves one Pod at a time, and
 * some old disk volumes one Node.
 * Models:     pkg/scheduler/framework/plugins/volumerestrictions @ v1.36
 * Leaves out: the in-tree disks (GCE, AWS, RBD, iSCSI), all moved to CSI.
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import type { Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import { SKIP, status } from "../status.ts";

const name = "VolumeRestrictions";

const IN_USE = status(
  name,
  "Unschedulable",
  "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
);

interface State {
  /** ReadWriteOncePod claims of the Pod. */
  readonly claims: ReadonlySet<string>;
  /** How often they are used in the cluster. */
  users: number;
}

export function volumeRestrictions({ listers }: Handle): Plugin<State> {
  return {
    name,
    events: [
      {
        event: clusterEvent("AssignedPod", Action.Delete),
        hint: (pod, deleted) => shareClaim(pod, deleted as Pod | undefined),
      },
      { event: clusterEvent("PersistentVolumeClaim", Action.Add) },
    ],

    preFilter({ pod, snapshot }) {
      if (pod.claims.length === 0) return SKIP;
      const exclusive = pod.claims.filter((claim) =>
        listers.claim(claim)?.spec.accessModes?.includes("ReadWriteOncePod"),
      );
      if (exclusive.length === 0) return SKIP;
      const used = exclusive.filter((claim) => snapshot.claimInUse(claim));
      return { state: { claims: new Set(exclusive), users: used.length } };
    },

    filter: (_node, _pod, { users }) => (users > 0 ? IN_USE : null),

    cloneState: (state) => ({ ...state }),
    addPod(other, _node, _pod, state) {
      state.users += used(other, state);
    },
    removePod(other, _node, _pod, state) {
      state.users -= used(other, state);
    },
  };
}

function used({ claims }: PodInfo, state: State): number {
  return claims.filter((claim) => state.claims.has(claim)).length;
}

function shareClaim(pod: Pod, deleted: Pod | undefined): boolean {
  if (!deleted) return true;
  const freed = new Set(new PodInfo(deleted).claims);
  return new PodInfo(pod).claims.some((claim) => freed.has(claim));
}
