/**
 * Which volume suits a claim: the smallest that is large enough.
 * Models: staging/src/k8s.io/component-helpers/storage/volume,
 *         pkg/controller/volume/persistentvolume/index.go @ v1.36
 */
import type { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { bytes } from "../../api/quantity.ts";
import { labelSelector } from "../../api/selector.ts";

export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
export const BOUND_BY = "pv.kubernetes.io/bound-by-controller";
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
export const PROVISIONER = "volume.kubernetes.io/storage-provisioner";

/** `waits`: only a volume that already names the claim will do. */
export function findVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  waits: boolean,
): PersistentVolume | undefined {
  const { namespace, name, uid } = claim.metadata;
  const reserved = volumes.find(({ spec: { claimRef } }) => {
    if (claimRef?.namespace !== namespace || claimRef?.name !== name) {
      return false;
    }
    return !claimRef.uid || claimRef.uid === uid;
  });
  if (reserved || waits) return reserved;
  const size = ({ spec }: PersistentVolume) => bytes(spec.capacity?.storage);
  return volumes
    .filter((volume) => suits(volume, claim))
    .toSorted((a, b) => size(a) - size(b))[0];
}

function suits(
  { metadata, spec, status }: PersistentVolume,
  claim: PersistentVolumeClaim,
): boolean {
  if (spec.claimRef || metadata.deletionTimestamp) return false;
  if (status?.phase && status.phase !== "Available") return false;
  const wanted = claim.spec;
  if ((spec.storageClassName ?? "") !== (wanted.storageClassName ?? "")) {
    return false;
  }
  const mode = "Filesystem";
  if ((spec.volumeMode ?? mode) !== (wanted.volumeMode ?? mode)) return false;
  const request = bytes(wanted.resources?.requests?.storage);
  if (bytes(spec.capacity?.storage) < request) return false;
  const modes = new Set(spec.accessModes);
  if (!wanted.accessModes?.every((one) => modes.has(one))) return false;
  const { selector } = wanted;
  return !selector || labelSelector(selector).matches(metadata.labels);
}
