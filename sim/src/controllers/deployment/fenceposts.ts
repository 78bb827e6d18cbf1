/**
 * How far a rolling update may go over and under `spec.replicas`.
 * Models: pkg/controller/deployment/util/deployment_util.go @ v1.36
 */

import { type IntOrString, scaledValue } from "../../api/intstr.ts";
import type { Deployment } from "../../api/kinds/deployment.ts";

export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * In Pods. Surge rounds up, unavailable rounds down; both 0 would never move,
 * so then one Pod may be unavailable. Throws if either is no percentage.
 */
export function resolveFenceposts(
  maxSurge: IntOrString | undefined,
  maxUnavailable: IntOrString | undefined,
  replicas: number,
): Fenceposts {
  const surge = scaledValue(maxSurge ?? 0, replicas, true);
  const unavailable = scaledValue(maxUnavailable ?? 0, replicas, false);
  if (surge === 0 && unavailable === 0) return { surge: 0, unavailable: 1 };
  return { surge, unavailable };
}

export function isRollingUpdate(deployment: Deployment): boolean {
  return deployment.spec.strategy?.type === "RollingUpdate";
}

export function replicasOf(object: {
  readonly spec: { readonly replicas?: number };
}): number {
  return object.spec.replicas ?? 1;
}

/** Pods that may be missing from `spec.replicas`. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  const { unavailable } = fencepostsOf(deployment);
  return Math.min(unavailable, replicas);
}

/** Pods that may exist beyond `spec.replicas`. */
export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fencepostsOf(deployment).surge : 0;
}

/** Text that is no percentage counts as 0: validation refused it before. */
function fencepostsOf(deployment: Deployment): Fenceposts {
  const rolling = deployment.spec.strategy?.rollingUpdate;
  const { maxSurge: surge, maxUnavailable: unavailable } = rolling ?? {};
  try {
    return resolveFenceposts(surge, unavailable, replicasOf(deployment));
  } catch {
    return { surge: 0, unavailable: 0 };
  }
}
