/**
 * Disruption controller: keeps the status of PodDisruptionBudgets. The API
 * server reads it when somebody asks to evict a Pod.
 * Models: pkg/controller/disruption/disruption.go @ v1.36
 */
import { withDisruptionAllowed } from "../../api/helpers/disruption-allowed.ts";
import { Deployment } from "../../api/kinds/deployment.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { PodDisruptionBudget } from "../../api/kinds/poddisruptionbudget.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { ReplicationController } from "../../api/kinds/replicationcontroller.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import type { PodDisruptionBudgetStatus } from "../../api/kinds/types/policy.ts";
import { labelSelector } from "../../api/selector.ts";
import { isConflict } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";
import { InvariantError } from "../../kernel/index.ts";
import { equalStatus } from "../shared/equal.ts";
import { textOf } from "../shared/pod-control.ts";
import { selectorText } from "../shared/selector-text.ts";
import { evictionsOf, needsOf, statusOf, usesScale } from "./budget.ts";
import { expectedScale, type Scalables } from "./scale.ts";
import { clearStaleCondition, staleAfterMs } from "./stale-pods.ts";

/** The first wait of a rate limited key. */
const LIMITED_MS = 5;

interface Context extends ComponentContext, Scalables {
  readonly budgets: Informer<PodDisruptionBudget>;
  readonly pods: Informer<Pod>;
  readonly queue: WorkQueue;
}

export function startDisruptionController(
  context: ComponentContext,
  kinds: Scalables["kinds"],
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
    kinds,
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
  try {
    await sync(budget, ctx);
  } catch (error) {
    if (error instanceof InvariantError || isConflict(error)) throw error;
    await failSafe(budget, error, ctx);
  }
}

async function sync(budget: PodDisruptionBudget, ctx: Context): Promise<void> {
  const selector = labelSelector(budget.spec.selector);
  const pods = ctx.pods
    .list(budget.metadata.namespace)
    .filter(({ metadata }) => selector.matches(metadata.labels));
  if (pods.length === 0) {
    const message = "No matching pods found";
    ctx.events.event(budget, "Normal", "NoPods", message);
  }
  const scale = usesScale(budget) ? await scaleOf(budget, pods, ctx) : 0;
  const needs = needsOf(budget, pods, scale);
  const evictions = evictionsOf(budget, pods, ctx.kernel);
  for (const pod of evictions.failed) tellNotDeleted(budget, pod, ctx);
  await write(budget, statusOf(budget, pods, needs, evictions), ctx);
  const { recheckMs } = evictions;
  if (recheckMs === undefined) return;
  // The rate limiter makes it later than the moment itself, when the time of
  // the eviction is not over yet.
  ctx.queue.addAfter(keyOf(budget), recheckMs + LIMITED_MS);
}
// endregion: reconcile

function tellNotDeleted(
  { metadata: { namespace } }: PodDisruptionBudget,
  pod: Pod,
  { events }: Context,
): void {
  // Upstream gives the namespace where the budget's name should be.
  const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  events.event(pod, "Warning", "NotDeleted", message);
}

async function scaleOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  ctx: Context,
): Promise<number> {
  const { events } = ctx;
  try {
    const { scale, unmanaged } = await expectedScale(pods, ctx);
    if (unmanaged.length > 0) {
      const message =
        `Pods selected by this PodDisruptionBudget (selector: ${selectorText(budget.spec.selector)}) ` +
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

/** If nobody knows, nobody may evict; the next change is looked at again. */
async function failSafe(
  budget: PodDisruptionBudget,
  error: unknown,
  ctx: Context,
): Promise<void> {
  const status = { ...budget.status, disruptionsAllowed: 0 };
  await write(budget, status, ctx, textOf(error));
}

async function write(
  budget: PodDisruptionBudget,
  counted: PodDisruptionBudgetStatus,
  { client, kernel }: Context,
  failure?: string,
): Promise<void> {
  const now = kernel.timestamp();
  const status = withDisruptionAllowed(counted, now, failure);
  if (equalStatus(budget.status, status)) return;
  await client.updateStatus(PodDisruptionBudget, { ...budget, status });
}
