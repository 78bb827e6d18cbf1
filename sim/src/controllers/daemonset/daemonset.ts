/**
 * DaemonSet controller: one Pod on each Node that suits.
 * Models: pkg/controller/daemon/daemon_controller.go @ v1.36
 */
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import { DaemonSet } from "../../api/kinds/daemonset.ts";
import { Node } from "../../api/kinds/node.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { selectorFor } from "../../api/selector.ts";
import type { ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { Expectations } from "../../client/expectations.ts";
import { claim } from "../shared/owners.ts";
import { isTerminated, orphansIn, ownedBy } from "../shared/pods.ts";
import type { Context, PodsByNode } from "./context.ts";
import { findHistory, type History, trimHistory } from "./history.ts";
import { listen } from "./listen.ts";
import { manage } from "./manage.ts";
import { targetNodeOf } from "./placement.ts";
import { rollOut } from "./rolling.ts";
import { updateStatus } from "./status.ts";

export function startDaemonSetController(context: ComponentContext): Component {
  const { informers } = context;
  const controller = startController(context, {
    workers: 2,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    sets: informers.informer(DaemonSet),
    pods: informers.informer(Pod),
    nodes: informers.informer(Node),
    revisions: informers.informer(ControllerRevision),
    expectations: new Expectations(context.kernel),
    queue: controller.queue,
    failedBackoff: new Map(),
  };
  listen(controller, ctx);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const set = ctx.sets.get(key);
  if (!set) return ctx.expectations.forget(key);
  if (selectorFor(set.spec.selector).empty) return refuse(set, ctx);
  if (set.metadata.deletionTimestamp) return;
  const nodes = ctx.nodes.list();
  const history = await findHistory(set, ctx);
  const { hash } = history;
  if (!ctx.expectations.satisfied(key)) {
    const pods = await podsByNode(set, ctx);
    return updateStatus(set, nodes, pods, hash, false, ctx);
  }
  try {
    await updatePods(key, set, nodes, history, ctx);
  } finally {
    const pods = await podsByNode(set, ctx);
    await updateStatus(set, nodes, pods, hash, true, ctx);
  }
}
// endregion: reconcile

async function updatePods(
  key: ObjectKey,
  set: DaemonSet,
  nodes: readonly Node[],
  history: History,
  ctx: Context,
): Promise<void> {
  await manage(set, nodes, await podsByNode(set, ctx), history.hash, ctx);
  // Roll out once the copy shows what was just created and deleted.
  const rolls = set.spec.updateStrategy?.type !== "OnDelete";
  if (rolls && ctx.expectations.satisfied(key)) {
    await rollOut(set, nodes, await podsByNode(set, ctx), history.hash, ctx);
  }
  await trimHistory(set, history, await podsByNode(set, ctx), ctx);
}

async function podsByNode(set: DaemonSet, ctx: Context): Promise<PodsByNode> {
  const { client, pods } = ctx;
  const { namespace } = set.metadata;
  const candidates = [...ownedBy(pods, set), ...orphansIn(pods, namespace)];
  const selector = selectorFor(set.spec.selector);
  const claimed = await claim(
    { client, ownerRef: DaemonSet, owner: set, ref: Pod, selector },
    candidates,
  );
  const gone = (pod: Pod) =>
    isTerminated(pod) && !!pod.metadata.deletionTimestamp;
  const there = claimed.filter((pod) => !gone(pod));
  return Map.groupBy(there, targetNodeOf);
}

function refuse(set: DaemonSet, { events }: Context): void {
  const message =
    "This daemon set is selecting all pods. A non-empty selector is required.";
  events.event(set, "Warning", "SelectingAll", message);
}
