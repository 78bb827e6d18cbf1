/**
 * A ReplicaSet controller: counts the Pods in a local copy, and creates or
 * removes the difference once the copy shows its own last writes.
 * Stands in for: controllers/replicaset.ts, which also adopts and releases.
 */
import { Pod } from "../api/kinds/pod.ts";
import { ReplicaSet } from "../api/kinds/replicaset.ts";
import { controllerOf, keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { type Controller, startController } from "../client/controller.ts";
import { Expectations } from "../client/expectations.ts";
import type { Informer } from "../client/informer.ts";
import { podFromTemplate } from "./shared/pod-control.ts";
import { isActive, isReady } from "./shared/pods.ts";

interface Context extends ComponentContext {
  /** Local copies; they show our own writes some milliseconds late. */
  readonly replicaSets: Informer<ReplicaSet>;
  readonly pods: Informer<Pod>;
  /** What was asked for and has not been seen in the copies yet. */
  readonly expectations: Expectations;
}

/** Called with `default/crew` whenever something about it has changed. */
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const rs = ctx.replicaSets.get(key);
  if (!rs) return; // Deleted. The garbage collector takes its Pods.
  const active = activePods(rs, ctx);
  // Count only once the copies show what the call before this one did.
  if (ctx.expectations.satisfied(key)) {
    const missing = (rs.spec.replicas ?? 1) - active.length;
    if (missing > 0) await createSome(rs, missing, ctx);
    if (missing < 0) await removeSome(rs, active.slice(0, -missing), ctx);
  }
  await report(rs, active, ctx);
}

async function createSome(rs: ReplicaSet, count: number, ctx: Context) {
  const key = keyOf(rs);
  ctx.expectations.expect(key, count);
  for (let made = 0; made < count; made++) {
    try {
      await create(rs, ctx);
    } catch (error) {
      // Those that were not made will not be seen. The queue calls again.
      ctx.expectations.creationSeen(key, count - made);
      throw error;
    }
  }
}

async function removeSome(rs: ReplicaSet, victims: Pod[], ctx: Context) {
  const key = keyOf(rs);
  ctx.expectations.expect(key, 0, victims.map(keyOf));
  for (const pod of victims) {
    try {
      await remove(pod, ctx);
    } catch (error) {
      ctx.expectations.forget(key); // The next call counts anew.
      throw error;
    }
  }
}

/** Its Pods in the local copy that run or may yet run. */
function activePods(rs: ReplicaSet, { pods }: Context): Pod[] {
  const isMine = (pod: Pod) => controllerOf(pod)?.uid === rs.metadata.uid;
  return pods.list(rs.metadata.namespace).filter((p) => isMine(p) && isActive(p));
}

/** Asks the API server for one more Pod. Throws if it says no. */
async function create(rs: ReplicaSet, { client }: Context): Promise<void> {
  const template = rs.spec.template ?? { spec: { containers: [] } };
  await client.create(Pod, podFromTemplate(template, ReplicaSet, rs));
}

/** Asks the API server to delete a Pod. Throws if it says no. */
async function remove({ metadata }: Pod, { client }: Context): Promise<void> {
  await client.delete(Pod, metadata.namespace ?? "", metadata.name);
}

/** Writes into the status what was counted, if it says something new. */
async function report(
  rs: ReplicaSet,
  active: readonly Pod[],
  { client }: Context,
): Promise<void> {
  const replicas = active.length;
  const readyReplicas = active.filter(isReady).length;
  const observedGeneration = rs.metadata.generation;
  const same =
    rs.status?.replicas === replicas &&
    (rs.status.readyReplicas ?? 0) === readyReplicas &&
    rs.status.observedGeneration === observedGeneration;
  if (same) return;
  const status = { ...rs.status, replicas, readyReplicas, observedGeneration };
  await client.updateStatus(ReplicaSet, { ...rs, status });
}

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
    expectations: new Expectations(context.kernel),
  };
  listen(controller, ctx);
  return controller;
}

/** Any news of a ReplicaSet, or of one of its Pods, queues its key. */
function listen(controller: Controller, ctx: Context): void {
  const { queue } = controller;
  const { expectations } = ctx;
  const wake = (rs: ReplicaSet) => queue.add(keyOf(rs));
  controller.on(ctx.replicaSets, { added: wake, updated: wake, deleted: wake });
  controller.on(ctx.pods, {
    added(pod) {
      expectations.creationSeen(ownerKey(pod));
      queue.add(ownerKey(pod));
    },
    updated(pod) {
      const going = pod.metadata.deletionTimestamp;
      if (going) expectations.deletionSeen(ownerKey(pod), keyOf(pod));
      queue.add(ownerKey(pod));
    },
    deleted(pod) {
      expectations.deletionSeen(ownerKey(pod), keyOf(pod));
      queue.add(ownerKey(pod));
    },
  });
}

/** `default/crew`; a key that leads nowhere for a Pod without an owner. */
function ownerKey(pod: Pod): ObjectKey {
  return `${pod.metadata.namespace}/${controllerOf(pod)?.name ?? ""}`;
}
