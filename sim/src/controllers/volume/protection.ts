/**
 * Protection of volumes in use: a PersistentVolumeClaim that a Pod uses, and
 * a PersistentVolume that a claim is bound to, are kept by a finalizer until
 * nobody uses them any more.
 * Models: pkg/controller/volume/{pvcprotection,pvprotection} @ v1.36
 */
import { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { isNotFound } from "../../api/status.ts";
import { type KubeObject, keyOf } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { isTerminated } from "../shared/pods.ts";

const CLAIM_FINALIZER = "kubernetes.io/pvc-protection";
const VOLUME_FINALIZER = "kubernetes.io/pv-protection";

export function startClaimProtectionController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const claims = informers.informer(PersistentVolumeClaim);
  const pods = informers.informer(Pod);
  const byClaim = "claim";
  pods.addIndex(byClaim, claimKeysOf);
  const isUsed = (claim: PersistentVolumeClaim) =>
    pods
      .byIndex(byClaim, keyOf(claim))
      .some((pod) => pod.spec.nodeName && !isTerminated(pod));
  const component = protect(
    context,
    PersistentVolumeClaim,
    claims,
    CLAIM_FINALIZER,
    isUsed,
  );
  const look = (pod: Pod) => {
    for (const key of claimKeysOf(pod)) component.queue.add(key);
  };
  component.on(pods, {
    updated(pod, old) {
      if (isTerminated(pod) !== isTerminated(old)) look(pod);
    },
    deleted: look,
  });
  return component;
}

const NONE: readonly string[] = [];

function claimKeysOf({ metadata, spec }: Pod): readonly string[] {
  if (!spec.volumes) return NONE;
  return spec.volumes.flatMap(({ persistentVolumeClaim: claim }) =>
    claim ? [`${metadata.namespace}/${claim.claimName}`] : NONE,
  );
}

export function startVolumeProtectionController(
  context: ComponentContext,
): Component {
  const volumes = context.informers.informer(PersistentVolume);
  const isUsed = ({ status }: PersistentVolume) => status?.phase === "Bound";
  return protect(context, PersistentVolume, volumes, VOLUME_FINALIZER, isUsed);
}

/** Adds the finalizer; takes it off when deletion waits and nobody uses it. */
function protect<T extends KubeObject>(
  context: ComponentContext,
  ref: ResourceRef<T>,
  informer: Informer<T>,
  finalizer: string,
  isUsed: (object: T) => boolean,
) {
  const { client } = context;
  const reconcile = async (key: string) => {
    const object = informer.get(key);
    if (!object) return;
    const { finalizers = [], deletionTimestamp } = object.metadata;
    const has = finalizers.includes(finalizer);
    if (has === !deletionTimestamp) return;
    if (deletionTimestamp && isUsed(object)) return;
    const left = deletionTimestamp
      ? finalizers.filter((one) => one !== finalizer)
      : [...finalizers, finalizer];
    const metadata = { ...object.metadata, finalizers: left };
    try {
      await client.update(ref, { ...object, metadata });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  const controller = startController(context, { workers: 1, reconcile });
  const enqueue = (object: T) => controller.queue.add(keyOf(object));
  controller.on(informer, { added: enqueue, updated: enqueue });
  return controller;
}
