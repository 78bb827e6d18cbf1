/**
 * Persistent volume controller: brings claims and volumes together. Both
 * sides name each other; the volume's side is written first, so two claims
 * cannot get the same volume.
 * Models:     pkg/controller/volume/persistentvolume/pv_controller.go @ v1.36
 * Leaves out: provisioning by in-tree plugins; a CSI driver's provisioner
 *             does it. Recycling.
 */
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { StorageClass } from "../../api/kinds/storageclass.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { bind, type Context, setPhase } from "./bind.ts";
import {
  BIND_COMPLETED,
  findVolume,
  isFor,
  mismatch,
  SELECTED_NODE,
} from "./match.ts";
import { askProvisioner, tellNoClass, tellWaiting } from "./provision.ts";
import { syncVolume } from "./release.ts";
import { uses } from "./wake.ts";

export function startVolumeBindingController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    claims: informers.informer(PersistentVolumeClaim),
    volumes: informers.informer(PersistentVolume),
    classes: informers.informer(StorageClass),
    pods: informers.informer(Pod),
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
  claims.needs(ctx.volumes, ctx.classes, ctx.pods);
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
  if (claim.metadata.annotations?.[BIND_COMPLETED]) {
    return keepBound(claim, ctx);
  }
  if (claim.spec.volumeName) return bindAsAsked(claim, ctx);
  const className = storageClassOf(claim);
  const storageClass = ctx.classes.get(className);
  const waits =
    storageClass?.volumeBindingMode === "WaitForFirstConsumer" &&
    !claim.metadata.annotations?.[SELECTED_NODE];
  const volume = findVolume(claim, ctx.volumes.list(), waits);
  if (volume) return bind(claim, volume, ctx);
  await setPhase(claim, "Pending", ctx);
  if (className && !storageClass) return tellNoClass(claim, className, ctx);
  tellWaiting(claim, storageClass, waits && podsThatWait(claim, ctx), ctx);
  if (storageClass && !waits) await askProvisioner(claim, storageClass, ctx);
}
// endregion: sync-claim

/** A claim that was bound once is bound for ever, or lost. */
async function keepBound(
  claim: PersistentVolumeClaim,
  ctx: Context,
): Promise<void> {
  const { volumeName } = claim.spec;
  const volume = ctx.volumes.get(volumeName ?? "");
  const owner = volume?.spec.claimRef;
  if (volume && (!owner || owner.uid === claim.metadata.uid)) {
    return bind(claim, volume, ctx);
  }
  if (claim.status?.phase === "Lost") return;
  await setPhase(claim, "Lost", ctx);
  const end = "Data on the volume is lost!";
  const [reason, message] = volume
    ? [
        "ClaimMisbound",
        "Two claims are bound to the same volume, this one is bound incorrectly",
      ]
    : [
        "ClaimLost",
        volumeName
          ? `Bound claim has lost its PersistentVolume. ${end}`
          : `Bound claim has lost reference to PersistentVolume. ${end}`,
      ];
  ctx.events.event(claim, "Warning", `${reason}`, `${message}`);
}

/** A claim whose author names the volume. */
async function bindAsAsked(
  claim: PersistentVolumeClaim,
  ctx: Context,
): Promise<void> {
  const { volumeName = "" } = claim.spec;
  const volume = ctx.volumes.get(volumeName);
  if (!volume) return setPhase(claim, "Pending", ctx);
  const tell = (reason: string, message: string) => {
    ctx.events.event(claim, "Warning", reason, message);
    return setPhase(claim, "Pending", ctx);
  };
  if (!volume.spec.claimRef) {
    const why = mismatch(volume, claim);
    if (!why) return bind(claim, volume, ctx);
    const message = `Cannot bind to requested volume "${volumeName}": ${why}`;
    return tell("VolumeMismatch", message);
  }
  if (isFor(volume, claim)) return bind(claim, volume, ctx);
  const message = `volume "${volumeName}" already bound to a different claim.`;
  return tell("FailedBinding", message);
}

/** Names of the Pods that use the claim and have no Node yet. */
function podsThatWait(
  { metadata }: PersistentVolumeClaim,
  { pods }: Context,
): string[] {
  return pods
    .list(metadata.namespace)
    .filter((pod) => !pod.spec.nodeName && uses(pod, metadata.name))
    .map((pod) => pod.metadata.name);
}
