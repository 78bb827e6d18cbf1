/**
 * Node lifecycle controller: watches that Nodes speak. A silent Node's
 * conditions become Unknown, its Pods not ready, and it gets taints; what the
 * taints do to Pods is the taint eviction controller's work.
 * Models:     pkg/controller/nodelifecycle/node_lifecycle_controller.go @ v1.36
 * Leaves out: the beta.kubernetes.io labels of old Nodes.
 */
import { Lease } from "../../api/kinds/lease.ts";
import { Node } from "../../api/kinds/node.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { keyOf } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { every, startController } from "../../client/controller.ts";
import { indexByNode } from "../shared/pods.ts";
import { swapTaints } from "../shared/taints.ts";
import { taintChanges } from "./condition-taints.ts";
import type { Context } from "./context.ts";
import { readyCondition } from "./health.ts";
import { monitor } from "./monitor.ts";
import { taintNext } from "./no-execute.ts";
import { markPodNotReady } from "./pods-not-ready.ts";
import { Zones } from "./zones.ts";

const MONITOR_MS = 5_000;
const TAINT_MS = 100;

export function startNodeLifecycleController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    nodes: informers.informer(Node),
    pods: informers.informer(Pod),
    leases: informers.informer(Lease, { namespace: "kube-node-lease" }),
    health: new Map(),
    zones: new Zones(),
    taintQueues: new Map(),
    podsToRetry: new Set(),
  };
  indexByNode(ctx.pods);
  const tainting = startTainting(ctx);
  const notReady = startMarkingPods(ctx);
  let ended = () => {};
  context.kernel.spawn(context.actor, async () => {
    await Promise.all([ctx.nodes.whenSynced(), ctx.leases.whenSynced()]);
    await ctx.pods.whenSynced();
    const endMonitor = every(ctx, MONITOR_MS, () => monitor(ctx));
    // In between, so that the copy shows what the monitor has written.
    const endTaints = every(ctx, TAINT_MS, () => taintNext(ctx), TAINT_MS / 2);
    ended = () => {
      endMonitor();
      endTaints();
    };
  });
  return {
    stop() {
      tainting.stop();
      notReady.stop();
      ended();
    },
  };
}

/** NoSchedule taints follow the Node's conditions. */
function startTainting(ctx: Context): Component {
  const controller = startController(ctx, {
    workers: 8,
    reconcile: async (name) => {
      const node = ctx.nodes.get(name);
      if (!node) return;
      const { add, remove } = taintChanges(node, ctx.kernel.timestamp());
      if (add.length + remove.length === 0) return;
      await swapTaints(ctx.client, node, add, remove);
    },
  });
  controller.on(ctx.nodes, {
    added: (node) => controller.queue.add(keyOf(node)),
    updated(node, old) {
      // Heartbeats change neither.
      const same = node.spec === old.spec && statuses(node) === statuses(old);
      if (!same) controller.queue.add(keyOf(node));
    },
  });
  return controller;
}

function statuses(node: Node): string {
  const conditions = node.status?.conditions ?? [];
  return conditions.map(({ type, status }) => `${type}=${status}`).join();
}

/** A Pod that is bound to a Node which is not ready is not ready either. */
function startMarkingPods(ctx: Context): Component {
  const controller = startController(ctx, {
    workers: 4,
    reconcile: async (key) => {
      const pod = ctx.pods.get(key);
      const name = pod?.spec.nodeName ?? "";
      const node = ctx.nodes.get(name);
      if (!pod || !node || !ctx.health.has(name)) return;
      const ready = readyCondition(node);
      if (ready && ready.status !== "True") await markPodNotReady(pod, ctx);
    },
  });
  const bound = (pod: Pod) => {
    const node = ctx.nodes.get(pod.spec.nodeName ?? "");
    const ready = node && readyCondition(node);
    // Only for a Node that is not ready is there anything to do.
    if (ready && ready.status !== "True") controller.queue.add(keyOf(pod));
  };
  controller.on(ctx.pods, {
    added: bound,
    updated(pod, old) {
      if (pod.spec.nodeName !== old.spec.nodeName) bound(pod);
    },
  });
  return controller;
}
