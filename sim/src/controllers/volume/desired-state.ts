/**
 * Which volumes should be attached to a Node: those that its Pods use and
 * that their driver has to attach.
 * Models: pkg/controller/volume/attachdetach/{cache/desired_state_of_world,
 *         populator}.go @ v1.36
 */
import type { CSIDriver } from "../../api/kinds/csidriver.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { VolumeAttachment } from "../../api/kinds/volumeattachment.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import { podsOnNode } from "../shared/pods.ts";
import { type Detaching, isDone } from "./detach.ts";
import type { Exclusive } from "./multi-attach.ts";

export interface Context extends ComponentContext {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly drivers: Informer<CSIDriver>;
  readonly attachments: Informer<VolumeAttachment>;
  readonly exclusive: Exclusive;
  readonly detaching: Detaching;
  /** Looks at the Node again after so many ms. */
  readonly later: (node: string, ms: number) => void;
}

/** Driver by volume, of the volumes that Pods on the Node use. */
export function wantedOn(node: string, ctx: Context): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const pod of podsOnNode(ctx.pods, node)) {
    for (const name of volumesOf(pod, ctx)) {
      const driver = ctx.volumes.get(name)?.spec.csi?.driver;
      if (!driver) continue;
      const needs = ctx.drivers.get(driver)?.spec.attachRequired ?? true;
      if (needs) wanted.set(name, driver);
    }
  }
  return wanted;
}

/** Volumes that a Pod uses while it has not ended. */
export function volumesOf(pod: Pod, { claims }: Context): string[] {
  if (isDone(pod)) return [];
  const { namespace } = pod.metadata;
  return (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => {
    if (!persistentVolumeClaim) return [];
    const key = `${namespace}/${persistentVolumeClaim.claimName}`;
    return claims.get(key)?.spec.volumeName ?? [];
  });
}

/** As the kubelet and the Node's status name a volume. */
export function uniqueName(volume: string, { volumes }: Context): string {
  const csi = volumes.get(volume)?.spec.csi;
  return csi ? `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}` : "";
}
