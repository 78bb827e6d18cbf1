/**
 * ReplicationController: what a ReplicaSet was before selectors could say
 * more than "equals". Upstream runs the same code for both; here it is the
 * short form of it.
 * Models:     pkg/controller/replication/replication_controller.go @ v1.36
 * Leaves out: sharing a node's excess Pods with kin, as it has none.
 */
import { Pod } from "../api/kinds/pod.ts";
import { ReplicationController } from "../api/kinds/replicationcontroller.ts";
import { setSelector } from "../api/selector.ts";
import { hasCause, isNotFound } from "../api/status.ts";
import { controllerOf, keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { Expectations } from "../client/expectations.ts";
import type { Informer } from "../client/informer.ts";
import type { WorkQueue } from "../client/workqueue.ts";
import {
  nextAvailableMs,
  updateStatus,
} from "./replicationcontroller/status.ts";
import { inDeletionOrder } from "./shared/deletion-order.ts";
import { claim, controllerIn } from "./shared/owners.ts";
import * as podControl from "./shared/pod-control.ts";
import * as pods from "./shared/pods.ts";
import { sideBySide, slowStart } from "./shared/slow-start.ts";

interface Context extends ComponentContext {
  readonly controllers: Informer<ReplicationController>;
  readonly pods: Informer<Pod>;
  readonly expectations: Expectations;
  readonly queue: WorkQueue;
}

const BURST = 500;

export function startReplicationControllerController(
  context: ComponentContext,
): Component {
  const { informers, kernel } = context;
  const controller = startController(context, {
    workers: 5,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    controllers: informers.informer(ReplicationController),
    pods: informers.informer(Pod),
    expectations: new Expectations(kernel),
    queue: controller.queue,
  };
  pods.indexByController(ctx.pods);
  const enqueue = (rc: ReplicationController) =>
    controller.queue.add(keyOf(rc));
  controller.on(ctx.controllers, {
    added: enqueue,
    updated: enqueue,
    deleted: enqueue,
  });
  const changed = (pod: Pod, see: (rc: ObjectKey) => void) => {
    const rc = controllerIn(ctx.controllers, pod);
    if (rc) {
      see(keyOf(rc));
      enqueue(rc);
    } else if (!controllerOf(pod) && ctx.controllers.size > 0) {
      for (const one of ctx.controllers.list(pod.metadata.namespace)) {
        if (selectorOf(one).matches(pod.metadata.labels)) enqueue(one);
      }
    }
  };
  const { expectations } = ctx;
  const gone = (pod: Pod) =>
    changed(pod, (rc) => expectations.deletionSeen(rc, keyOf(pod)));
  controller.on(ctx.pods, {
    added: (pod) => changed(pod, (rc) => expectations.creationSeen(rc)),
    updated(pod) {
      if (pod.metadata.deletionTimestamp) gone(pod);
      else changed(pod, () => {});
    },
    deleted: gone,
  });
  return controller;
}

function selectorOf({ spec }: ReplicationController) {
  return setSelector(spec.selector ?? {});
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const rc = ctx.controllers.get(key);
  if (!rc) return ctx.expectations.forget(key);
  const current = ctx.expectations.satisfied(key);
  const candidates = [
    ...pods.ownedBy(ctx.pods, rc),
    ...pods.orphansIn(ctx.pods, rc.metadata.namespace),
  ].filter(pods.isActive);
  const { client } = ctx;
  const ownerRef = ReplicationController;
  const selector = selectorOf(rc);
  const claimed = { client, ownerRef, owner: rc, ref: Pod, selector };
  const active = await claim(claimed, candidates);
  let failure: unknown;
  if (current && !rc.metadata.deletionTimestamp) {
    failure = await keepReplicas(rc, active, ctx);
  }
  await updateStatus(rc, active, failure, ctx);
  if (failure) throw failure;
  // With minReadySeconds no event comes when a Pod becomes available.
  const waitMs = nextAvailableMs(rc, active, ctx);
  if (waitMs !== undefined) ctx.queue.addAfter(key, waitMs);
}
// endregion: reconcile

async function keepReplicas(
  rc: ReplicationController,
  active: readonly Pod[],
  ctx: Context,
): Promise<unknown> {
  const key = keyOf(rc);
  const missing = (rc.spec.replicas ?? 1) - active.length;
  const count = Math.min(Math.max(0, missing), BURST);
  const ranked = active.map((pod) => ({ pod, rank: 0 }));
  const order = inDeletionOrder(ranked, ctx.kernel);
  const victims = order.slice(0, Math.min(Math.max(0, -missing), BURST));
  ctx.expectations.expect(key, count, victims.map(keyOf));
  const template = rc.spec.template ?? { spec: { containers: [] } };
  const pod = podControl.podFromTemplate(template, ReplicationController, rc);
  const made = await slowStart(count, () => podControl.createPod(ctx, rc, pod));
  ctx.expectations.creationSeen(key, count - made.successes);
  const deleted = await sideBySide(victims.length, async (i) => {
    const victim = victims[i]!;
    try {
      await podControl.deletePod(ctx, rc, victim);
    } catch (error) {
      ctx.expectations.deletionSeen(key, keyOf(victim));
      if (!isNotFound(error)) throw error;
    }
  });
  const { error = deleted.error } = made;
  return hasCause(error, podControl.NAMESPACE_TERMINATING) ? undefined : error;
}
