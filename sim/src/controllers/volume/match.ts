/**
 * Which volume suits a claim: one with few access modes, and small.
 * Models: staging/src/k8s.io/component-helpers/storage/volume,
 *         pkg/controller/volume/persistentvolume/index.go @ v1.36
 */
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import type { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { bytes } from "../../api/quantity.ts";
import { labelSelector } from "../../api/selector.ts";

export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
export const BOUND_BY = "pv.kubernetes.io/bound-by-controller";
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
export const PROVISIONER = "volume.kubernetes.io/storage-provisioner";

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

// region: find-volume
/**
 * Of those with the fewest access modes the smallest; one that names the
 * claim goes first. `waits`: only such a one will do.
 */
export function findVolume(
  claim: Claim,
  volumes: readonly Volume[],
  waits: boolean,
): Volume | undefined {
  const large = volumes.filter(
    (volume) =>
      !volume.metadata.deletionTimestamp &&
      hasModes(volume, claim) &&
      sizeOf(volume) >= requestOf(claim) &&
      modeOf(volume) === modeOf(claim),
  );
  const reserved = large.find((volume) => isFor(volume, claim));
  if (reserved || waits) return reserved;
  const modes = ({ spec }: Volume) => spec.accessModes?.length ?? 0;
  return large
    .filter((volume) => suits(volume, claim))
    .toSorted((a, b) => modes(a) - modes(b) || sizeOf(a) - sizeOf(b))[0];
}
// endregion: find-volume

/** The volume names the claim; its uid too, if it names one. */
export function isFor({ spec: { claimRef } }: Volume, claim: Claim): boolean {
  const { namespace, name, uid } = claim.metadata;
  if (!claimRef || claimRef.namespace !== namespace) return false;
  return claimRef.name === name && (!claimRef.uid || claimRef.uid === uid);
}

/** Why a volume that the claim asks for by name does not do. */
export function mismatch(volume: Volume, claim: Claim): string | undefined {
  if (sizeOf(volume) < requestOf(claim)) return "requested PV is too small";
  if (storageClassOf(volume) !== storageClassOf(claim)) {
    return "storageClassName does not match";
  }
  if (attributesOf(volume) !== attributesOf(claim)) {
    return "volumeAttributesClassName does not match";
  }
  if (modeOf(volume) !== modeOf(claim)) return "incompatible volumeMode";
  return hasModes(volume, claim) ? undefined : "incompatible accessMode";
}

function suits(volume: Volume, claim: Claim): boolean {
  const { metadata, spec, status } = volume;
  if (spec.claimRef) return false;
  if (status?.phase && status.phase !== "Available") return false;
  if (storageClassOf(volume) !== storageClassOf(claim)) return false;
  if (attributesOf(volume) !== attributesOf(claim)) return false;
  const { selector } = claim.spec;
  return !selector || labelSelector(selector).matches(metadata.labels);
}

function sizeOf({ spec }: Volume): number {
  return bytes(spec.capacity?.storage);
}

function requestOf({ spec }: Claim): number {
  return bytes(spec.resources?.requests?.storage);
}

function attributesOf({ spec }: Volume | Claim): string {
  return spec.volumeAttributesClassName ?? "";
}

function modeOf({ spec }: Volume | Claim): string {
  return spec.volumeMode ?? "Filesystem";
}

function hasModes(volume: Volume, claim: Claim): boolean {
  const modes = new Set(volume.spec.accessModes);
  return (claim.spec.accessModes ?? []).every((one) => modes.has(one));
}
