/**
 * NodeVolumeLimits: a CSI driver attaches so many volumes to a Node and no
 * more; the Node's CSINode object says how many.
 * Models:     pkg/scheduler/framework/plugins/nodevolumelimits @ v1.36
 * Leaves out: in-tree volumes; attachments that no Pod stands for any more.
 */
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import { Action, clusterEvent } from "../cluster-events.ts";
import { NO_STATE, type Plugin } from "../framework.ts";
import type { Handle } from "../handle.ts";
import type { Listers } from "../listers.ts";
import { SKIP, status } from "../status.ts";

const name = "NodeVolumeLimits";

const REFUSED = status(
  name,
  "Unschedulable",
  "node(s) exceed max volume count",
);

export function nodeVolumeLimits({ listers }: Handle): Plugin {
  return {
    name,
    events: [
      { event: clusterEvent("CSINode", Action.Add | Action.Update) },
      { event: clusterEvent("AssignedPod", Action.Delete) },
      { event: clusterEvent("PersistentVolumeClaim", Action.Add) },
      { event: clusterEvent("VolumeAttachment", Action.Delete) },
    ],

    preFilter: ({ pod }) => (pod.claims.length > 0 ? NO_STATE : SKIP),

    filter(node, pod) {
      const limits = limitsOf(node, listers);
      if (limits.size === 0) return null;
      const attached = new Map<string, string>();
      for (const other of node.pods) collect(attached, other, listers);
      const wanted = new Map<string, string>();
      collect(wanted, pod, listers);
      for (const [driver, limit] of limits) {
        const has = [...attached].filter(([, by]) => by === driver).length;
        const more = [...wanted].filter(
          ([volume, by]) => by === driver && !attached.has(volume),
        ).length;
        if (more > 0 && has + more > limit) return REFUSED;
      }
      return null;
    },
  };
}

/** Driver to the number of volumes that it attaches to the Node. */
function limitsOf({ name: node }: NodeInfo, listers: Listers) {
  const limits = new Map<string, number>();
  for (const driver of listers.csiNode(node)?.spec.drivers ?? []) {
    const count = driver.allocatable?.count;
    if (count !== undefined) limits.set(driver.name, count);
  }
  return limits;
}

/** Volumes of a Pod's claims, each with its driver. */
function collect(
  into: Map<string, string>,
  { claims }: PodInfo,
  listers: Listers,
): void {
  for (const key of claims) {
    const claim = listers.claim(key);
    if (!claim) continue;
    const { volumeName } = claim.spec;
    if (volumeName) {
      const csi = listers.volume(volumeName)?.spec.csi;
      if (csi) into.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    } else {
      const driver = listers.storageClass(storageClassOf(claim))?.provisioner;
      if (driver) into.set(`${driver}/${key}`, driver);
    }
  }
}
