/**
 * The Progressing condition: how long a rollout has been without progress.
 * Models: pkg/controller/deployment/util/deployment_util.go @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import type {
  DeploymentCondition,
  DeploymentStatus,
} from "../../api/kinds/types/apps.ts";
import type { Kernel } from "../../kernel/index.ts";
import { findCondition, withCondition } from "../shared/conditions.ts";
import { replicasOf } from "./fenceposts.ts";

const NO_DEADLINE = 2 ** 31 - 1;

export function hasDeadline(deployment: Deployment): boolean {
  const { progressDeadlineSeconds } = deployment.spec;
  return (
    progressDeadlineSeconds !== undefined &&
    progressDeadlineSeconds !== NO_DEADLINE
  );
}

export function progressing(
  status: DeploymentStatus | undefined,
): DeploymentCondition | undefined {
  return findCondition(status?.conditions, "Progressing");
}

export function condition(
  type: string,
  status: string,
  reason: string,
  message: string,
  kernel: Pick<Kernel, "timestamp">,
): DeploymentCondition {
  const now = kernel.timestamp();
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return { type, status, ...times, reason, message };
}

/** The Deployment with its Progressing condition set. */
export function withProgress(
  deployment: Deployment,
  status: string,
  reason: string,
  message: string,
  kernel: Pick<Kernel, "timestamp">,
): Deployment {
  const conditions = withCondition(
    deployment.status?.conditions,
    condition("Progressing", status, reason, message, kernel),
  );
  return { ...deployment, status: { ...deployment.status, conditions } };
}

/** All Pods are of the new template, available, and no other is left. */
export function isComplete(
  deployment: Deployment,
  status: DeploymentStatus | undefined,
): boolean {
  const replicas = replicasOf(deployment);
  const observed = status?.observedGeneration ?? 0;
  return (
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas &&
    observed >= (deployment.metadata.generation ?? 0)
  );
}

/** More new Pods, fewer old ones, or more that are ready or available. */
export function hasProgressed(
  before: DeploymentStatus | undefined,
  now: DeploymentStatus,
): boolean {
  const old = (s: DeploymentStatus | undefined) =>
    (s?.replicas ?? 0) - (s?.updatedReplicas ?? 0);
  return (
    (now.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** No progress for longer than `progressDeadlineSeconds`. */
export function hasTimedOut(
  deployment: Deployment,
  status: DeploymentStatus,
  kernel: Pick<Kernel, "now" | "msOf">,
): boolean {
  const current = progressing(status);
  if (!hasDeadline(deployment) || !current) return false;
  if (current.reason === "NewReplicaSetAvailable") return false;
  if (current.reason === "ProgressDeadlineExceeded") return true;
  return kernel.now() > deadlineMs(deployment, current, kernel);
}

/** When the condition, unchanged, becomes a time-out; simulated ms. */
export function deadlineMs(
  deployment: Deployment,
  current: DeploymentCondition,
  kernel: Pick<Kernel, "now" | "msOf">,
): number {
  const seconds = deployment.spec.progressDeadlineSeconds ?? 0;
  const since = current.lastUpdateTime;
  return (since ? kernel.msOf(since) : kernel.now()) + seconds * 1000;
}
