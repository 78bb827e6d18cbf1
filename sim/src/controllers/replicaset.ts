/**
 * ReplicaSet controller: keeps `spec.replicas` Pods alive.
 * Models:     pkg/controller/replicaset/replica_set.go @ v1.36
 * Leaves out: nothing that shows; retries are the work queue's.
 * Try:        rank young Pods first in `podChanges`, run the rollout figure.
 */
import { Pod } from "../api/kinds/pod.ts";
import { ReplicaSet } from "../api/kinds/replicaset.ts";
import { selectorFor } from "../api/selector.ts";
import { hasCause, isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { Expectations } from "../client/expectations.ts";
import type { Informer } from "../client/informer.ts";
import type { WorkQueue } from "../client/workqueue.ts";
import { listen } from "./replicaset/listen.ts";
import { statusOf, updateStatus } from "./replicaset/status.ts";
import { count, type Owned, Tally } from "./replicaset/tally.ts";
import { inDeletionOrder } from "./shared/deletion-order.ts";
import { claim } from "./shared/owners.ts";
import * as podControl from "./shared/pod-control.ts";
import * as pods from "./shared/pods.ts";
import { sideBySide, slowStart } from "./shared/slow-start.ts";

export interface Context extends ComponentContext {
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  readonly expectations: Expectations;
  readonly queue: WorkQueue;
  readonly tally: Tally;
}

/** Most Pods that one reconcile creates or deletes. */
const BURST = 500;

export function startReplicaSetController(
  context: ComponentContext,
): Component {
  const controller = startController(context, {
    workers: 5,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    replicaSets: context.informers.informer(ReplicaSet),
    pods: context.informers.informer(Pod),
    tally: new Tally(context.informers.informer(Pod)),
    expectations: new Expectations(context.kernel),
    queue: controller.queue,
  };
  listen(controller, ctx);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const rs = ctx.replicaSets.get(key);
  if (!rs) return ctx.expectations.forget(key); // Its Pods: see the collector.
  // Plan only once the cache shows our own last writes.
  const current = ctx.expectations.satisfied(key);
  const owned = await ownedPods(rs, ctx);
  let failure: unknown;
  if (current && !rs.metadata.deletionTimestamp) {
    failure = await carryOut(rs, podChanges(rs, owned.active, ctx), ctx);
  }
  await updateStatus(rs, statusOf(rs, owned, failure, ctx.kernel), ctx);
  if (failure) throw failure;
  lookAgainWhenAvailable(rs, owned.active, ctx);
}
// endregion: reconcile

// region: pod-changes
/** How many Pods to create, and which to delete. Decides, does nothing. */
export function podChanges(
  rs: ReplicaSet,
  active: readonly Pod[],
  ctx: Context,
): { create: number; delete: readonly Pod[] } {
  const missing = (rs.spec.replicas ?? 1) - active.length;
  if (missing >= 0) return { create: Math.min(missing, BURST), delete: [] };
  const excess = Math.min(-missing, BURST);
  if (excess === active.length) return { create: 0, delete: active };
  const crowd = podsPerNode(rs, ctx);
  const ranked = active.map((pod) => ({
    pod,
    rank: crowd.get(pod.spec.nodeName ?? "") ?? 0,
  }));
  const order = inDeletionOrder(ranked, ctx.kernel);
  return { create: 0, delete: order.slice(0, excess) };
}
// endregion: pod-changes

/** The Pods that are its own, after adopting orphans and releasing strays. */
async function ownedPods(rs: ReplicaSet, ctx: Context): Promise<Owned> {
  const counted = ctx.tally.owned(rs);
  if (counted) return counted; // Nothing to adopt or to release.
  const known = pods.ownedBy(ctx.pods, rs);
  known.push(...pods.orphansIn(ctx.pods, rs.metadata.namespace));
  const candidates = known.filter((p) => !pods.isTerminated(p));
  const selector = selectorFor(rs.spec.selector);
  const { client } = ctx;
  const mine = await claim(
    { client, ownerRef: ReplicaSet, owner: rs, ref: Pod, selector },
    candidates,
  );
  return count(rs, mine);
}

/** Creates and deletes; returns the first error. */
async function carryOut(
  rs: ReplicaSet,
  changes: { create: number; delete: readonly Pod[] },
  ctx: Context,
): Promise<unknown> {
  if (changes.create === 0 && changes.delete.length === 0) return undefined;
  const key = keyOf(rs);
  ctx.expectations.expect(key, changes.create, changes.delete.map(keyOf));
  const template = rs.spec.template ?? { spec: { containers: [] } };
  const pod = podControl.podFromTemplate(template, ReplicaSet, rs);
  const created = await slowStart(changes.create, () =>
    podControl.createPod(ctx, rs, pod),
  );
  // Those that were not made will not be seen.
  const unmade = changes.create - created.successes;
  if (unmade > 0) ctx.expectations.creationSeen(key, unmade);
  const deleted = await sideBySide(changes.delete.length, async (i) => {
    const victim = changes.delete[i]!;
    try {
      await podControl.deletePod(ctx, rs, victim);
    } catch (error) {
      ctx.expectations.deletionSeen(key, keyOf(victim));
      if (!isNotFound(error)) throw error;
    }
  });
  const { error = deleted.error } = created;
  const dying = hasCause(error, podControl.NAMESPACE_TERMINATING);
  return dying ? undefined : error;
}

/** Active Pods of its Deployment (or itself), counted by node. */
function podsPerNode(rs: ReplicaSet, ctx: Context): Map<string, number> {
  const kin = ctx.replicaSets.byIndex(
    pods.BY_CONTROLLER,
    rs.metadata.ownerReferences?.find((o) => o.controller)?.uid ?? "",
  );
  const count = new Map<string, number>();
  for (const one of kin.length > 0 ? kin : [rs]) {
    for (const pod of pods.ownedBy(ctx.pods, one).filter(pods.isActive)) {
      const node = pod.spec.nodeName ?? "";
      count.set(node, (count.get(node) ?? 0) + 1);
    }
  }
  return count;
}

/** With minReadySeconds no event comes when a Pod becomes available. */
function lookAgainWhenAvailable(
  rs: ReplicaSet,
  active: readonly Pod[],
  { queue, kernel }: Context,
): void {
  const seconds = rs.spec.minReadySeconds ?? 0;
  if (seconds === 0) return;
  const waits = active.map(
    (p) => pods.untilAvailableMs(p, seconds, kernel) ?? 0,
  );
  const open = waits.filter((ms) => ms > 0);
  if (open.length > 0) queue.addAfter(keyOf(rs), Math.min(...open));
}
