/**
 * The claims of a Pod, sorted by what is left to do about them.
 * Models: podHasPVCs, GetPodVolumeClaims in pkg/scheduler/framework/plugins/
 *         volumebinding @ v1.36
 */
import { storageClassOf } from "../../api/helpers/storage-class.ts";
import type { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Listers } from "../listers.ts";

export interface VolumeClaim {
  /** `namespace/name`. */
  readonly key: string;
  readonly name: string;
  /** Made for this Pod alone, by its own controller. */
  readonly ephemeral: boolean;
}

export interface SortedClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** The class waits for the first consumer: this Pod. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** The volume controller must bind them first. */
  readonly immediate: readonly PersistentVolumeClaim[];
}

export function volumeClaims({ metadata, spec }: Pod): VolumeClaim[] {
  return (spec.volumes ?? []).flatMap((volume) => {
    const ephemeral = volume.ephemeral !== undefined;
    const name = ephemeral
      ? `${metadata.name}-${volume.name}`
      : volume.persistentVolumeClaim?.claimName;
    if (!name) return [];
    return [{ key: `${metadata.namespace}/${name}`, name, ephemeral }];
  });
}

/** A claim that is missing or lost is a problem in words. */
export function sortClaims(
  pod: Pod,
  listers: Listers,
): SortedClaims | { readonly problem: string } {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  const immediate: PersistentVolumeClaim[] = [];
  for (const { key, name, ephemeral } of volumeClaims(pod)) {
    const claim = listers.claim(key);
    const problem = problemOf(claim, name, ephemeral, pod);
    if (!claim || problem) return { problem };
    const { volumeName } = claim.spec;
    const { annotations } = claim.metadata;
    if (volumeName && annotations?.["pv.kubernetes.io/bind-completed"]) {
      bound.push(claim);
    } else if (!volumeName && waitsForConsumer(claim, listers)) {
      delayed.push(claim);
    } else immediate.push(claim);
  }
  return { bound, delayed, immediate };
}

function problemOf(
  claim: PersistentVolumeClaim | undefined,
  name: string,
  ephemeral: boolean,
  pod: Pod,
): string {
  if (!claim) {
    return ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  }
  if (claim.status?.phase === "Lost") {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`;
  }
  if (claim.metadata.deletionTimestamp) {
    return `persistentvolumeclaim "${name}" is being deleted`;
  }
  const owner = claim.metadata.ownerReferences?.find(
    ({ controller, uid }) => controller && uid === pod.metadata.uid,
  );
  if (!ephemeral || owner) return "";
  const { namespace, name: podName } = pod.metadata;
  return `PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`;
}

function waitsForConsumer(
  claim: PersistentVolumeClaim,
  listers: Listers,
): boolean {
  const storageClass = listers.storageClass(storageClassOf(claim));
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}
