/**
 * Whether a StatefulSet's claims outlive its Pods and the set itself: an owner
 * in the claim says with what it goes, and the garbage collector takes it.
 * Kept both ways, the default: no owner. To go with the set: the set, for the
 * ordinals that it wants. To go when scaled down: the Pod, once it is beyond.
 * Models: pkg/controller/statefulset/{stateful_set_utils,
 *         stateful_pod_control}.go @ v1.36
 */
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import { apiVersionOf, type ResourceRef } from "../../api/resource.ts";
import {
  type KubeObject,
  keyOf,
  type OwnerReference,
} from "../../api/types.ts";
import { controllerRef } from "../shared/owners.ts";
import type { Context } from "./context.ts";
import { claimsFor, ordinalOf, startOrdinal } from "./identity.ts";

/** False if a claim of the Pod has other owners than the policy says. */
export function claimsMatch(set: StatefulSet, pod: Pod, ctx: Context): boolean {
  return claimsOf(set, pod, ctx).every((claim) => isRight(set, pod, claim));
}

/** Writes the owners that the policy says. */
export async function settleClaims(
  set: StatefulSet,
  pod: Pod,
  ctx: Context,
): Promise<void> {
  for (const claim of claimsOf(set, pod, ctx)) {
    if (isRight(set, pod, claim)) continue;
    const ownerReferences = ownersFor(set, pod, claim);
    const metadata = { ...claim.metadata, ownerReferences };
    await ctx.client.update(PersistentVolumeClaim, { ...claim, metadata });
  }
}

/** A claim is still to go with an earlier Pod of the name: wait for that. */
export function claimIsStale(
  set: StatefulSet,
  pod: Pod,
  ctx: Context,
): boolean {
  if (!policyOf(set).scaled) return false;
  return claimsOf(set, pod, ctx).some((claim) => isStale(claim, Pod, pod));
}

function claimsOf(set: StatefulSet, pod: Pod, { claims }: Context) {
  const wanted = claimsFor(set, ordinalOf(set, pod.metadata.name));
  return wanted.flatMap((claim) => claims.get(keyOf(claim)) ?? []);
}

/** True: claims are deleted then. */
function policyOf({ spec }: StatefulSet): {
  deleted: boolean;
  scaled: boolean;
} {
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  return {
    deleted: policy?.whenDeleted === "Delete",
    scaled: policy?.whenScaled === "Delete",
  };
}

// region: owners
/** Which of the two the claim is to go with now. */
function wantedOwners(set: StatefulSet, pod: Pod) {
  const { deleted, scaled } = policyOf(set);
  const at = ordinalOf(set, pod.metadata.name) - startOrdinal(set);
  const beyond = at < 0 || at >= (set.spec.replicas ?? 1);
  return { set: deleted && !(scaled && beyond), pod: scaled && beyond };
}
// endregion: owners

function isRight(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): boolean {
  // Of an earlier set or Pod of the same name: left to the collector.
  if (isStale(claim, StatefulSet, set) || isStale(claim, Pod, pod)) return true;
  const refs = refsOf(claim);
  const has = { set: owns(set, refs), pod: owns(pod, refs) };
  if (isManagedByOther(set, pod, claim)) return !has.set && !has.pod;
  const ours = refs.filter(({ uid }) => isUid(set, uid) || isUid(pod, uid));
  if (ours.some(({ controller }) => !controller)) return false;
  const wanted = wantedOwners(set, pod);
  return has.set === wanted.set && has.pod === wanted.pod;
}

function ownersFor(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): OwnerReference[] {
  const others = refsOf(claim).filter(
    (ref) => !isNamed(ref, StatefulSet, set) && !isNamed(ref, Pod, pod),
  );
  if (isManagedByOther(set, pod, claim)) return others;
  const wanted = wantedOwners(set, pod);
  if (wanted.pod) return [...others, controllerRef(Pod, pod)];
  if (wanted.set) return [...others, controllerRef(StatefulSet, set)];
  return others;
}

/** With a policy, a claim that something else controls is left alone. */
function isManagedByOther(
  set: StatefulSet,
  pod: Pod,
  claim: PersistentVolumeClaim,
): boolean {
  const { deleted, scaled } = policyOf(set);
  if (!deleted && !scaled) return false;
  return refsOf(claim).some((ref) => {
    if (isNamed(ref, StatefulSet, set)) return !isUid(set, ref.uid);
    if (isNamed(ref, Pod, pod)) return !isUid(pod, ref.uid);
    return ref.controller === true;
  });
}

function refsOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

function owns(owner: KubeObject, refs: readonly OwnerReference[]): boolean {
  return refs.some(({ uid }) => isUid(owner, uid));
}

/** A Pod that is not made yet has no uid, and owns nothing. */
function isUid({ metadata }: KubeObject, uid: string): boolean {
  return uid === (metadata.uid ?? "");
}

function isNamed(
  { apiVersion, kind, name }: OwnerReference,
  ref: ResourceRef,
  { metadata }: KubeObject,
): boolean {
  const same = kind === ref.kind && apiVersion === apiVersionOf(ref);
  return same && name === metadata.name;
}

function isStale(
  claim: PersistentVolumeClaim,
  ref: ResourceRef,
  owner: KubeObject,
): boolean {
  const named = refsOf(claim).find((one) => isNamed(one, ref, owner));
  return named !== undefined && !isUid(owner, named.uid);
}
