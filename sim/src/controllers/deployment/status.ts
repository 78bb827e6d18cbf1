/**
 * The status of a Deployment: sums over its ReplicaSets, and conditions.
 * Models: pkg/controller/deployment/{sync,progress}.go @ v1.36
 */
import { Deployment } from "../../api/kinds/deployment.ts";
import type {
  DeploymentCondition,
  DeploymentStatus,
} from "../../api/kinds/types/apps.ts";
import { keyOf } from "../../api/types.ts";
import {
  findCondition,
  withCondition,
  withoutCondition,
} from "../shared/conditions.ts";
import { equalStatus } from "../shared/equal.ts";
import { allOf, type Context, type Rollout } from "./context.ts";
import { maxUnavailable, replicasOf } from "./fenceposts.ts";
import {
  condition,
  deadlineMs,
  hasDeadline,
  hasProgressed,
  hasTimedOut,
  isComplete,
  progressing,
  withProgress,
} from "./progress.ts";
import * as sets from "./replicasets.ts";

/** Counts alone; for a Deployment that is not being rolled. */
export async function syncStatus(
  rollout: Rollout,
  ctx: Context,
): Promise<void> {
  await write(rollout.deployment, countsOf(rollout, ctx), ctx);
}

/** Counts, progress and failures. */
export async function syncRolloutStatus(
  rollout: Rollout,
  ctx: Context,
): Promise<void> {
  const { deployment } = rollout;
  const counts = countsOf(rollout, ctx);
  const conditions = withFailure(
    withProgression(rollout, counts, ctx),
    rollout,
  );
  const status = { ...counts, conditions };
  if (!(await write(deployment, status, ctx))) {
    lookAgainAtDeadline(deployment, status, ctx);
  }
}

/** False if there is nothing new to say. */
async function write(
  deployment: Deployment,
  status: DeploymentStatus,
  { client }: Context,
): Promise<boolean> {
  if (equalStatus(deployment.status, status)) return false;
  await client.updateStatus(Deployment, { ...deployment, status });
  return true;
}

function countsOf(rollout: Rollout, { kernel }: Context): DeploymentStatus {
  const { deployment, newest } = rollout;
  const all = allOf(rollout);
  const available = sets.availableCount(all);
  const wanted = replicasOf(deployment);
  const { status, metadata } = deployment;
  return {
    observedGeneration: metadata.generation,
    replicas: sets.actualCount(all),
    updatedReplicas: sets.actualCount(newest ? [newest] : []),
    readyReplicas: sets.readyCount(all),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sets.desiredCount(all) - available),
    terminatingReplicas: sets.terminatingCount(all),
    collisionCount: status?.collisionCount,
    conditions: withCondition(
      status?.conditions,
      availability(available >= wanted - maxUnavailable(deployment), kernel),
    ),
  };
}

function availability(
  enough: boolean,
  kernel: Context["kernel"],
): DeploymentCondition {
  const [status, reason, message] = enough
    ? ["True", "MinimumReplicasAvailable", "has minimum availability."]
    : [
        ...["False", "MinimumReplicasUnavailable"],
        "does not have minimum availability.",
      ];
  const text = `Deployment ${message}`;
  return condition("Available", `${status}`, `${reason}`, text, kernel);
}

// region: progress
function withProgression(
  rollout: Rollout,
  status: DeploymentStatus,
  { kernel }: Context,
): readonly DeploymentCondition[] {
  const { deployment, newest } = rollout;
  const conditions = status.conditions ?? [];
  if (!hasDeadline(deployment)) {
    return withoutCondition(conditions, "Progressing");
  }
  const current = progressing(deployment.status);
  const settled = status.replicas === status.updatedReplicas;
  if (settled && current?.reason === "NewReplicaSetAvailable") {
    return conditions;
  }
  const what = newest
    ? `ReplicaSet "${newest.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const told = (value: string, reason: string, end: string) =>
    condition("Progressing", value, reason, `${what} ${end}`, kernel);
  if (isComplete(deployment, status)) {
    const end = "has successfully progressed.";
    return withCondition(
      conditions,
      told("True", "NewReplicaSetAvailable", end),
    );
  }
  if (hasProgressed(deployment.status, status)) {
    const next = told("True", "ReplicaSetUpdated", "is progressing.");
    const since =
      current?.status === "True"
        ? current.lastTransitionTime
        : next.lastTransitionTime;
    const others = withoutCondition(conditions, "Progressing");
    return [...others, { ...next, lastTransitionTime: since }];
  }
  if (hasTimedOut(deployment, status, kernel)) {
    const end = "has timed out progressing.";
    const late = told("False", "ProgressDeadlineExceeded", end);
    return withCondition(conditions, late);
  }
  return conditions;
}
// endregion: progress

/** A ReplicaSet that cannot make Pods makes the Deployment say so. */
function withFailure(
  conditions: readonly DeploymentCondition[],
  rollout: Rollout,
): readonly DeploymentCondition[] {
  const { newest } = rollout;
  const failures = (newest ? [newest, ...rollout.old] : rollout.old)
    .map((rs) => findCondition(rs.status?.conditions, "ReplicaFailure"))
    .filter((failure) => failure !== undefined);
  const [first] = failures;
  if (!first) return withoutCondition(conditions, "ReplicaFailure");
  const lastUpdateTime = first.lastTransitionTime;
  return withCondition(conditions, { ...first, lastUpdateTime });
}

/** No event comes when the deadline passes. */
function lookAgainAtDeadline(
  deployment: Deployment,
  status: DeploymentStatus,
  { queue, kernel }: Context,
): void {
  const current = progressing(deployment.status);
  if (!hasDeadline(deployment) || !current) return;
  if (current.reason === "ProgressDeadlineExceeded") return;
  if (isComplete(deployment, status)) return;
  const waitMs = deadlineMs(deployment, current, kernel) - kernel.now();
  if (waitMs < 1000) queue.addRateLimited(keyOf(deployment));
  else queue.addAfter(keyOf(deployment), waitMs + 1000);
}

/** Says in the Progressing condition that a rollout was paused or resumed. */
export async function notePause(
  deployment: Deployment,
  { client, kernel }: Context,
): Promise<Deployment> {
  const reason = progressing(deployment.status)?.reason;
  if (!hasDeadline(deployment)) return deployment;
  if (reason === "ProgressDeadlineExceeded") return deployment;
  const noted = reason === "DeploymentPaused";
  const { paused = false } = deployment.spec;
  if (paused === noted) return deployment;
  const is = paused ? "paused" : "resumed";
  const next = withProgress(
    deployment,
    "Unknown",
    paused ? "DeploymentPaused" : "DeploymentResumed",
    `Deployment is ${is}`,
    kernel,
  );
  await client.updateStatus(Deployment, next);
  return next;
}

/** An empty selector would take every Pod; nothing is done but to say so. */
export async function refuseToSelectAll(
  deployment: Deployment,
  { client, events }: Context,
): Promise<void> {
  const message =
    "This deployment is selecting all pods. A non-empty selector is required.";
  events.event(deployment, "Warning", "SelectingAll", message);
  const { generation: observedGeneration = 0 } = deployment.metadata;
  const { status } = deployment;
  if ((status?.observedGeneration ?? 0) >= observedGeneration) return;
  const seen = { ...deployment, status: { ...status, observedGeneration } };
  await client.updateStatus(Deployment, seen);
}
