/**
 * Disruption controller: keeps the status of PodDisruptionBudgets. The API
 * server reads it when somebody asks to evict a Pod.
 * Models:     pkg/controller/disruption/disruption.go @ v1.36
 * Leaves out: controllers known by their scale subresource alone.
 */
import { Deployment } from "../../api/kinds/deployment.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { PodDisruptionBudget } from "../../api/kinds/poddisruptionbudget.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { ReplicationController } from "../../api/kinds/replicationcontroller.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { PodDisruptionBudgetStatus } from "../../api/kinds/types/policy.ts";
import { labelSelector } from "../../api/selector.ts";
import { isConflict } from "../../api/status.ts";
import { type Condition, keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";
import { withCondition } from "../shared/conditions.ts";
import { equalStatus } from "../shared/equal.ts";
import { textOf } from "../shared/pod-control.ts";
import { evictionsOf, needsOf, statusOf } from "./budget.ts";
import { expectedScale, type Scalables } from "./scale.ts";
import { clearStaleCondition, staleAfterMs } from "./stale-pods.ts";

interface Context extends ComponentContext, Scalables {
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly pods: Informer<Pod>;
  readonly queue: WorkQueue;
}

export function startDisruptionController(
  context: ComponentContext,
): Component {
  const { informers, kernel } = context;
  const controller = startController(context, {
    workers: 1,
    reconcile: (key) => reconcile(key, ctx),
  });
  const stale = startController(context, {
    workers: 1,
    reconcile: (key) => clearStaleCondition(key, ctx),
  });
  const ctx: Context = {
    ...context,
    budgets: informers.informer(PodDisruptionBudget),
    pods: informers.informer(Pod),
    deployments: informers.informer(Deployment),
    replicaSets: informers.informer(ReplicaSet),
    statefulSets: informers.informer(StatefulSet),
    replicationControllers: informers.informer(ReplicationController),
    queue: controller.queue,
  };
  const enqueue = (budget: PodDisruptionBudget) =>
    controller.queue.add(keyOf(budget));
  controller.on(ctx.budgets, {
    added: enqueue,
    updated: enqueue,
    deleted: enqueue,
  });
  const changed = (pod: Pod) => {
    if (ctx.budgets.size > 0) for (const b of budgetsOf(pod, ctx)) enqueue(b);
    const waitMs = staleAfterMs(pod, kernel);
    if (waitMs !== undefined) stale.queue.addAfter(keyOf(pod), waitMs);
  };
  controller.on(ctx.pods, {
    added: changed,
    updated: changed,
    deleted: changed,
  });
  controller.needs(ctx.deployments, ctx.replicaSets, ctx.statefulSets);
  return {
    stop() {
      controller.stop();
      stale.stop();
    },
  };
}

function budgetsOf(pod: Pod, { budgets }: Context): PodDisruptionBudget[] {
  return budgets
    .list(pod.metadata.namespace)
    .filter(({ spec }) =>
      labelSelector(spec.selector).matches(pod.metadata.labels),
    );
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const budget = ctx.budgets.get(key);
  if (!budget) return;
  const selector = labelSelector(budget.spec.selector);
  const pods = ctx.pods
    .list(budget.metadata.namespace)
    .filter(({ metadata }) => selector.matches(metadata.labels));
  if (pods.length === 0) {
    const message = "No matching pods found";
    ctx.events.event(budget, "Normal", "NoPods", message);
  }
  const status = await judged(budget, pods, ctx);
  if (status) await write(budget, status, ctx);
}
// endregion: reconcile

async function judged(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  ctx: Context,
): Promise<PodDisruptionBudgetStatus | undefined> {
  const { events, kernel, queue } = ctx;
  const evictions = evictionsOf(budget, pods, kernel);
  for (const pod of evictions.failed) {
    const message = `Pod was expected by PDB ${keyOf(budget)} to be deleted but it wasn't`;
    events.event(pod, "Warning", "NotDeleted", message);
  }
  try {
    const needs = needsOf(budget, pods, () => scaleOf(budget, pods, ctx));
    const status = statusOf(budget, pods, needs, evictions);
    const { recheckMs } = evictions;
    if (recheckMs !== undefined) queue.addAfter(keyOf(budget), recheckMs);
    const allowed = (status.disruptionsAllowed ?? 0) > 0;
    const reason = allowed ? "SufficientPods" : "InsufficientPods";
    return withAllowed(budget, status, allowed, reason, "", ctx);
  } catch (error) {
    await failSafe(budget, error, ctx);
    throw error;
  }
}

function scaleOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { events, ...scalables }: Context,
): number {
  try {
    const { scale, unmanaged } = expectedScale(pods, scalables);
    if (unmanaged.length > 0) {
      const selector = labelSelector(budget.spec.selector).toString();
      const message =
        `Pods selected by this PodDisruptionBudget (selector: ${selector}) ` +
        "were found to be unmanaged. As a result, the status of the PDB " +
        "cannot be calculated correctly, which may result in undefined " +
        "behavior. To account for these pods please set " +
        '".spec.minAvailable" field of the PDB to an integer value.';
      events.event(budget, "Warning", "UnmanagedPods", message);
    }
    return scale;
  } catch (error) {
    const message = `Failed to calculate the number of expected pods: ${textOf(error)}`;
    const reason = "CalculateExpectedPodCountFailed";
    events.event(budget, "Warning", reason, message);
    throw error;
  }
}

/** If nobody knows, nobody may evict. */
async function failSafe(
  budget: PodDisruptionBudget,
  error: unknown,
  ctx: Context,
): Promise<void> {
  const status = { ...budget.status, disruptionsAllowed: 0 };
  const message = textOf(error);
  const reason = "SyncFailed";
  const next = withAllowed(budget, status, false, reason, message, ctx);
  await write(budget, next, ctx);
}

function withAllowed(
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
  allowed: boolean,
  reason: string,
  message: string,
  { kernel }: Context,
): PodDisruptionBudgetStatus {
  const { generation: observedGeneration } = budget.metadata;
  const next: Condition = {
    type: "DisruptionAllowed",
    status: allowed ? "True" : "False",
    ...{ observedGeneration, reason, message },
    lastTransitionTime: kernel.timestamp(),
  };
  const old = budget.status?.conditions;
  const before = old?.find(({ type }) => type === next.type);
  const same =
    before?.status === next.status &&
    before.reason === reason &&
    before.message === message;
  const conditions = same
    ? old?.map((one) => (one === before ? { ...one, observedGeneration } : one))
    : withCondition(old, next);
  return { ...status, conditions };
}

async function write(
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
  { client, queue }: Context,
): Promise<void> {
  if (equalStatus(budget.status, status)) return;
  try {
    await client.updateStatus(PodDisruptionBudget, { ...budget, status });
  } catch (error) {
    if (!isConflict(error)) throw error;
    // An eviction wrote it meanwhile; look again with what it says.
    queue.addRateLimited(keyOf(budget));
  }
}
