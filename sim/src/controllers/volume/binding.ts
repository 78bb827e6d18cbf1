/**
 * Persistent volume controller: brings claims and volumes together. Both
 * sides name each other; the volume's side is written first, so two claims
 * cannot get the same volume.
 * Models:     pkg/controller/volume/persistentvolume/pv_controller.go @ v1.36
 * Leaves out: provisioning by in-tree plugins; a CSI driver's provisioner
 *             does it. Recycling.
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { StorageClass } from "../../api/kinds/storageclass.ts";
import { isNotFound } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { equalStatus } from "../shared/equal.ts";
import {
  BIND_COMPLETED,
  BOUND_BY,
  findVolume,
  SELECTED_NODE,
} from "./match.ts";
import { askProvisioner, tellWaiting } from "./provision.ts";

interface Context extends ComponentContext {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
}

export function startVolumeBindingController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    claims: informers.informer(PersistentVolumeClaim),
    volumes: informers.informer(PersistentVolume),
    classes: informers.informer(StorageClass),
  };
  const claims = startController(context, {
    workers: 1,
    reconcile: (key) => syncClaim(key, ctx),
  });
  const volumes = startController(context, {
    workers: 1,
    reconcile: (key) => syncVolume(key, ctx),
  });
  const onVolume = (volume: PersistentVolume) => {
    volumes.queue.add(keyOf(volume));
    const { claimRef } = volume.spec;
    if (claimRef) claims.queue.add(`${claimRef.namespace}/${claimRef.name}`);
    else lookAtPending();
  };
  const lookAtPending = () => {
    for (const claim of ctx.claims.values()) {
      if (!claim.spec.volumeName) claims.queue.add(keyOf(claim));
    }
  };
  const onClaim = (claim: PersistentVolumeClaim) => {
    claims.queue.add(keyOf(claim));
    if (claim.spec.volumeName) volumes.queue.add(claim.spec.volumeName);
  };
  claims.on(ctx.claims, { added: onClaim, updated: onClaim, deleted: onClaim });
  volumes.on(ctx.volumes, {
    added: onVolume,
    updated: onVolume,
    deleted: onVolume,
  });
  claims.needs(ctx.volumes, ctx.classes);
  return {
    stop() {
      claims.stop();
      volumes.stop();
    },
  };
}

// region: sync-claim
async function syncClaim(key: ObjectKey, ctx: Context): Promise<void> {
  const claim = ctx.claims.get(key);
  if (!claim || claim.metadata.deletionTimestamp) return;
  const { volumeName } = claim.spec;
  if (volumeName) {
    const volume = ctx.volumes.get(volumeName);
    if (!volume) return setPhase(claim, "Lost", ctx);
    const { claimRef } = volume.spec;
    const free = !claimRef;
    const ours = claimRef?.uid === claim.metadata.uid || !claimRef?.uid;
    if (free || ours) return bind(claim, volume, ctx);
    return;
  }
  const storageClass = ctx.classes.get(claim.spec.storageClassName ?? "");
  const waits =
    storageClass?.volumeBindingMode === "WaitForFirstConsumer" &&
    !claim.metadata.annotations?.[SELECTED_NODE];
  const volume = findVolume(claim, ctx.volumes.list(), waits);
  if (volume) return bind(claim, volume, ctx);
  await setPhase(claim, "Pending", ctx);
  tellWaiting(claim, storageClass, waits, ctx);
  if (storageClass && !waits) await askProvisioner(claim, storageClass, ctx);
}
// endregion: sync-claim

// region: bind
/** Four writes: the volume, its phase, the claim, its phase. */
async function bind(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  ctx: Context,
): Promise<void> {
  const { client } = ctx;
  let bound = volume;
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
    const { namespace, name, uid, resourceVersion } = claim.metadata;
    const claimRef = {
      ...{ apiVersion: "v1", kind: "PersistentVolumeClaim" },
      ...{ namespace, name, uid, resourceVersion },
    };
    bound = await client.update(PersistentVolume, {
      ...volume,
      metadata: withNote(volume.metadata, BOUND_BY),
      spec: { ...volume.spec, claimRef },
    });
  }
  await setVolumePhase(bound, "Bound", ctx);
  let owner = claim;
  const { name: volumeName } = volume.metadata;
  if (!claim.metadata.annotations?.[BIND_COMPLETED]) {
    const chosen = claim.spec.volumeName === undefined;
    const noted = withNote(claim.metadata, BIND_COMPLETED);
    owner = await client.update(PersistentVolumeClaim, {
      ...claim,
      metadata: chosen ? withNote(noted, BOUND_BY) : noted,
      spec: { ...claim.spec, volumeName },
    });
  }
  const { accessModes, capacity } = volume.spec;
  // Later it grows as the volume does: who expands it says so.
  const becomes = owner.status?.phase !== "Bound";
  const more = becomes ? { accessModes, capacity } : { accessModes };
  await setPhase(owner, "Bound", ctx, more);
}
// endregion: bind

function withNote<M extends { annotations?: { [key: string]: string } }>(
  metadata: M,
  note: string,
): M {
  return {
    ...metadata,
    annotations: { ...metadata.annotations, [note]: "yes" },
  };
}

async function setPhase(
  claim: PersistentVolumeClaim,
  phase: string,
  { client }: Context,
  more: Partial<PersistentVolumeClaim["status"]> = {},
): Promise<void> {
  const status = { ...claim.status, ...more, phase };
  if (equalStatus(claim.status, status)) return;
  await client.updateStatus(PersistentVolumeClaim, { ...claim, status });
}

async function setVolumePhase(
  volume: PersistentVolume,
  phase: string,
  { client, kernel }: Context,
): Promise<void> {
  if (volume.status?.phase === phase) return;
  const lastPhaseTransitionTime = kernel.timestamp();
  const status = { ...volume.status, phase, lastPhaseTransitionTime };
  await client.updateStatus(PersistentVolume, { ...volume, status });
}

// region: sync-volume
/** A volume whose claim is gone is released, and deleted if it says so. */
async function syncVolume(name: ObjectKey, ctx: Context): Promise<void> {
  const volume = ctx.volumes.get(name);
  if (!volume) return;
  const { claimRef } = volume.spec;
  if (!claimRef) return setVolumePhase(volume, "Available", ctx);
  if (!claimRef.uid) return setVolumePhase(volume, "Available", ctx);
  const claim = ctx.claims.get(`${claimRef.namespace}/${claimRef.name}`);
  if (claim?.metadata.uid === claimRef.uid) return;
  if (await claimExists(claimRef, ctx)) return;
  await setVolumePhase(volume, "Released", ctx);
}
// endregion: sync-volume

/** The copy may be late: the server is asked before a volume is released. */
async function claimExists(
  {
    namespace = "",
    name = "",
    uid,
  }: { namespace?: string; name?: string; uid?: string },
  { client }: Context,
): Promise<boolean> {
  try {
    const found = await client.get(PersistentVolumeClaim, namespace, name);
    return found.metadata.uid === uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
