/**
 * Questions about the ReplicaSets of a Deployment: which is the new one,
 * which are old, how many Pods they stand for.
 * Models: pkg/controller/deployment/util/deployment_util.go,
 *         pkg/controller/controller_utils.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type { ReplicaSet } from "../../api/kinds/replicaset.ts";
import type { PodTemplateSpec } from "../../api/kinds/types/pod.ts";
import { byAge } from "../shared/by-age.ts";
import { equal } from "../shared/equal.ts";
import { replicasOf } from "./fenceposts.ts";

export const HASH_LABEL = "pod-template-hash";

/** Pods that the ReplicaSets are told to have. */
export function desiredCount(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + replicasOf(rs), 0);
}

/** Pods that the ReplicaSets say they have. */
export function actualCount(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.replicas ?? 0), 0);
}

export function readyCount(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.readyReplicas ?? 0), 0);
}

export function availableCount(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, rs) => sum + (rs.status?.availableReplicas ?? 0), 0);
}

/** Undefined if one of them does not say. */
export function terminatingCount(
  sets: readonly ReplicaSet[],
): number | undefined {
  let sum = 0;
  for (const { status } of sets) {
    if (status?.terminatingReplicas === undefined) return undefined;
    sum += status.terminatingReplicas;
  }
  return sum;
}

/** Those with Pods to keep. */
export function withReplicas(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.filter((rs) => replicasOf(rs) > 0);
}

/** Oldest first; the name decides between equals. */
export function oldestFirst(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.toSorted(byAge);
}

export function newestFirst(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.toSorted((a, b) => byAge(b, a));
}

/** Largest first; of equals the newer, or the older. */
export function largestFirst(
  sets: readonly ReplicaSet[],
  thenNewer: boolean,
): ReplicaSet[] {
  return sets.toSorted(
    (a, b) =>
      replicasOf(b) - replicasOf(a) || (thenNewer ? byAge(b, a) : byAge(a, b)),
  );
}

// region: find-new
/**
 * The ReplicaSet with the Deployment's template, the hash label apart; the
 * oldest if, by some history, there are several.
 */
export function findNew(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const { template } = deployment.spec;
  return oldestFirst(sets).find((rs) =>
    sameTemplate(rs.spec.template, template),
  );
}
// endregion: find-new

export function sameTemplate(
  a: PodTemplateSpec | undefined,
  b: PodTemplateSpec | undefined,
): boolean {
  return equal(a?.spec, b?.spec) && equal(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const { labels = {}, ...metadata } = template?.metadata ?? {};
  const { [HASH_LABEL]: _, ...others } = labels;
  return { ...metadata, labels: others };
}
