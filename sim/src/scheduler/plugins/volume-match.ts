/**
 * Which volume suits a claim on a Node, or can one be made there?
 * Models:     FindMatchingVolume in component-helpers/storage/volume,
 *             checkVolumeProvisions in plugins/volumebinding/binder.go @ v1.36
 * Leaves out: CSIStorageCapacity.
 */

import { nodeSelectorTest } from "../../api/helpers/node-affinity.ts";
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { PersistentVolume } from "../../api/kinds/persistentvolume.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { bytes } from "../../api/quantity.ts";
import { labelSelector } from "../../api/selector.ts";
import type { Listers } from "../listers.ts";

const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** May a Pod on the Node use the volume? */
export function reaches({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec.nodeAffinity?.required;
  return !required || nodeSelectorTest(required)(node);
}

/** The smallest free volume that suits; one that names the claim goes first. */
export function findVolume(
  claim: PersistentVolumeClaim,
  node: Node,
  listers: Listers,
  taken: ReadonlySet<string>,
): PersistentVolume | undefined {
  if (claim.metadata.annotations?.[SELECTED_NODE]) return undefined;
  let best: PersistentVolume | undefined;
  for (const volume of listers.volumes()) {
    if (taken.has(volume.metadata.name)) continue;
    if (!suits(volume, claim) || !reaches(volume, node)) continue;
    if (volume.spec.claimRef) return volume;
    if (!best || sizeOf(volume) < sizeOf(best)) best = volume;
  }
  return best;
}

function suits(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): boolean {
  const { metadata, spec, status } = volume;
  const { claimRef } = spec;
  const wanted = claim.spec;
  const asked = bytes(wanted.resources?.requests?.storage);
  if (bytes(spec.capacity?.storage) < asked) return false;
  if ((spec.volumeMode ?? "Filesystem") !== (wanted.volumeMode ?? "Filesystem"))
    return false;
  if (metadata.deletionTimestamp) return false;
  if (claimRef) {
    const { name, namespace, uid } = claim.metadata;
    const named = claimRef.name === name && claimRef.namespace === namespace;
    return named && (!claimRef.uid || claimRef.uid === uid);
  }
  if (status?.phase !== "Available") return false;
  if (storageClassOf(volume) !== storageClassOf(claim)) return false;
  const selector = wanted.selector && labelSelector(wanted.selector);
  if (selector && !selector.matches(metadata.labels)) return false;
  const modes = spec.accessModes ?? [];
  return (wanted.accessModes ?? []).every((mode) => modes.includes(mode));
}

function sizeOf({ spec }: PersistentVolume): number {
  return bytes(spec.capacity?.storage);
}

/** Can the class make a volume for that Node? */
export function canProvision(
  claim: PersistentVolumeClaim,
  node: Node,
  listers: Listers,
): boolean {
  const selected = claim.metadata.annotations?.[SELECTED_NODE];
  if (selected && selected !== node.metadata.name) return false;
  const found = listers.storageClass(storageClassOf(claim));
  if (!found || found.provisioner === NO_PROVISIONER) return false;
  const terms = found.allowedTopologies ?? [];
  const { labels } = node.metadata;
  return (
    terms.length === 0 ||
    terms.some((term) =>
      (term.matchLabelExpressions ?? []).every(({ key, values }) =>
        values.includes(labels?.[key] ?? ""),
      ),
    )
  );
}
