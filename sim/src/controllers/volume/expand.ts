/**
 * Volume expand controller: volumes of CSI drivers are made larger by the
 * driver's own resizer, so all that is left here is to say so.
 * Models:     pkg/controller/volume/expand/expand_controller.go @ v1.36
 * Leaves out: in-tree plugins, which it expands itself.
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { bytes } from "../../api/quantity.ts";
import { keyOf } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";

const MESSAGE = "waiting for an external controller to expand this PVC";

export function startVolumeExpandController(
  context: ComponentContext,
): Component {
  const { informers, events } = context;
  const claims = informers.informer(PersistentVolumeClaim);
  const volumes = informers.informer(PersistentVolume);
  const reconcile = async (key: string) => {
    const claim = claims.get(key);
    const volume = claim && volumes.get(claim.spec.volumeName ?? "");
    if (volume?.spec.claimRef?.uid !== claim?.metadata.uid) return;
    if (!claim || requested(claim) <= capacity(claim)) return;
    events.event(claim, "Normal", "ExternalExpanding", MESSAGE);
  };
  const controller = startController(context, { workers: 1, reconcile });
  controller.on(claims, {
    updated(claim, old) {
      if (claim.status?.phase !== "Bound") return;
      const grows = requested(claim) > requested(old);
      if (grows || capacity(claim) > capacity(old)) {
        controller.queue.add(keyOf(claim));
      }
    },
  });
  controller.needs(volumes);
  return controller;
}

function requested({ spec }: PersistentVolumeClaim): number {
  return bytes(spec.resources?.requests?.storage);
}

function capacity({ status }: PersistentVolumeClaim): number {
  return bytes(status?.capacity?.storage);
}
