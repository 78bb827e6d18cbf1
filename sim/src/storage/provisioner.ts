/**
 * The external provisioner: a claim whose class names its driver becomes a
 * volume. With WaitForFirstConsumer it waits until the scheduler has chosen a
 * node. A released volume of the policy Delete goes with its disk.
 * Models:     kubernetes-csi/external-provisioner pkg/controller @ v6
 * Leaves out: topology, snapshots and clones as sources, capacity objects.
 * Try:        provision at once, whatever the binding mode says.
 */
import { storageClassOf } from "../api/helpers/storage-class.ts";
import { PersistentVolume } from "../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../api/kinds/persistentvolumeclaim.ts";
import { StorageClass } from "../api/kinds/storageclass.ts";
import { bytes } from "../api/quantity.ts";
import { isAlreadyExists, isNotFound } from "../api/status.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import type { ControllerService } from "../csi/api.ts";
import { BACKOFF, call } from "./call.ts";

interface Context extends ComponentContext {
  readonly driver: string;
  readonly service: ControllerService;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
}

const PROVISIONER = "volume.kubernetes.io/storage-provisioner";
const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

export function startProvisioner(
  context: ComponentContext,
  driver: string,
  service: ControllerService,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...{ ...context, driver, service },
    claims: informers.informer(PersistentVolumeClaim),
    volumes: informers.informer(PersistentVolume),
    classes: informers.informer(StorageClass),
  };
  const controller = startController(context, {
    workers: 4,
    reconcile: (key) => reconcile(key, ctx),
    backoff: BACKOFF,
  });
  const { queue } = controller;
  const claim = (one: PersistentVolumeClaim) => queue.add(keyOf(one));
  controller.on(ctx.claims, { added: claim, updated: claim });
  // The key of a volume has no Namespace.
  const volume = (one: PersistentVolume) => queue.add(one.metadata.name);
  controller.on(ctx.volumes, { added: volume, updated: volume });
  controller.needs(ctx.classes);
  return controller;
}

// region: reconcile
async function reconcile(key: string, ctx: Context): Promise<void> {
  const claim = ctx.claims.get(key);
  if (claim) return provision(claim, ctx);
  const volume = ctx.volumes.get(key);
  if (volume) await remove(volume, ctx);
}
// endregion: reconcile

async function provision(
  claim: PersistentVolumeClaim,
  ctx: Context,
): Promise<void> {
  const { metadata, spec } = claim;
  const { annotations = {} } = metadata;
  if (spec.volumeName || annotations[PROVISIONER] !== ctx.driver) return;
  const storageClass = ctx.classes.get(storageClassOf(claim));
  if (!storageClass) return;
  const waits = storageClass.volumeBindingMode === "WaitForFirstConsumer";
  if (waits && !annotations[SELECTED_NODE]) return;
  const name = `pvc-${metadata.uid}`;
  if (ctx.volumes.get(name)) return;
  const size = spec.resources?.requests?.storage ?? "1Gi";
  const request = { name, capacity_range: { required_bytes: bytes(size) } };
  const { events } = ctx;
  const telling = `External provisioner is provisioning volume for claim "${keyOf(claim)}"`;
  events.event(claim, "Normal", "Provisioning", telling);
  const { volume } = await call(ctx, ctx.driver, "CreateVolume", request, () =>
    ctx.service.createVolume(request),
  );
  await create(claim, storageClass, volume.volume_id, size, ctx);
  const told = `Successfully provisioned volume ${name}`;
  events.event(claim, "Normal", "ProvisioningSucceeded", told);
}

async function create(
  { metadata, spec }: PersistentVolumeClaim,
  { metadata: { name: storageClassName }, reclaimPolicy }: StorageClass,
  volumeHandle: string,
  storage: string,
  { client, driver }: Context,
): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata;
  const volume: PersistentVolume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `pvc-${uid}`,
      annotations: { [PROVISIONED_BY]: driver },
    },
    spec: {
      accessModes: spec.accessModes,
      capacity: { storage },
      claimRef: {
        ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
        ...{ name, namespace, uid, resourceVersion },
      },
      csi: { driver, volumeHandle },
      persistentVolumeReclaimPolicy: reclaimPolicy ?? "Delete",
      storageClassName,
      volumeMode: spec.volumeMode ?? "Filesystem",
    },
  };
  try {
    await client.create(PersistentVolume, volume);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function remove(volume: PersistentVolume, ctx: Context): Promise<void> {
  const { metadata, spec, status } = volume;
  const ours = metadata.annotations?.[PROVISIONED_BY] === ctx.driver;
  const over = status?.phase === "Released";
  if (!ours || !over || spec.persistentVolumeReclaimPolicy !== "Delete") return;
  const request = { volume_id: spec.csi?.volumeHandle ?? "" };
  await call(ctx, ctx.driver, "DeleteVolume", request, () =>
    ctx.service.deleteVolume(request),
  );
  try {
    await ctx.client.delete(PersistentVolume, "", metadata.name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
