/**
 * A claim without a volume: says what it waits for, and asks the driver's
 * provisioner for one.
 * Models: pkg/controller/volume/persistentvolume/pv_controller.go @ v1.36
 */
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { StorageClass } from "../../api/kinds/storageclass.ts";
import type { ComponentContext } from "../../client/component.ts";
import { PROVISIONER } from "./match.ts";

/** `waits`: for the Pods of these names, which may be none yet. */
export function tellWaiting(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  waits: readonly string[] | false,
  { events }: ComponentContext,
): void {
  const type = "Normal";
  if (waits && waits.length > 0) {
    const plural = waits.length > 1 ? "s" : "";
    const message = `waiting for pod${plural} ${waits.join(",")} to be scheduled`;
    events.event(claim, type, "WaitForPodScheduled", message);
  } else if (waits) {
    const message = "waiting for first consumer to be created before binding";
    events.event(claim, type, "WaitForFirstConsumer", message);
  } else if (storageClass) {
    const { provisioner } = storageClass;
    const message =
      "Waiting for a volume to be created either by the external provisioner " +
      `'${provisioner}' or manually by the system administrator. If volume ` +
      "creation is delayed, please verify that the provisioner is running " +
      "and correctly registered.";
    events.event(claim, type, "ExternalProvisioning", message);
  } else {
    const message =
      "no persistent volumes available for this claim and no storage class is set";
    events.event(claim, type, "FailedBinding", message);
  }
}

export function tellNoClass(
  claim: PersistentVolumeClaim,
  name: string,
  { events }: ComponentContext,
): void {
  const message = `storageclass.storage.k8s.io "${name}" not found`;
  events.event(claim, "Warning", "ProvisioningFailed", message);
}

/** The driver's provisioner looks for this annotation. */
export async function askProvisioner(
  claim: PersistentVolumeClaim,
  { provisioner }: StorageClass,
  { client }: ComponentContext,
): Promise<void> {
  const { metadata } = claim;
  if (metadata.annotations?.[PROVISIONER] === provisioner) return;
  const annotations = {
    ...metadata.annotations,
    "volume.beta.kubernetes.io/storage-provisioner": provisioner,
    [PROVISIONER]: provisioner,
  };
  const changed = { ...claim, metadata: { ...metadata, annotations } };
  await client.update(PersistentVolumeClaim, changed);
}
