/**
 * StatefulSet controller: Pods with a name each, that come and go in order.
 * Models:     pkg/controller/statefulset/stateful_set.go @ v1.36
 * Leaves out: maxUnavailable, which is off by default in 1.36 (it was on from
 *             1.35.0 to 1.35.3): the API server drops the field.
 */
import { ControllerRevision } from "../../api/kinds/controllerrevision.ts";
import { PersistentVolumeClaim } from "../../api/kinds/persistentvolumeclaim.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { StatefulSet } from "../../api/kinds/statefulset.ts";
import { selectorFor } from "../../api/selector.ts";
import { controllerOf, keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { type Controller, startController } from "../../client/controller.ts";
import { claim, controllerIn } from "../shared/owners.ts";
import {
  indexByController,
  isReady,
  orphansIn,
  ownedBy,
} from "../shared/pods.ts";
import type { Context } from "./context.ts";
import { findRevisions, ownRevisions, trimHistory } from "./history.ts";
import { ordinalOf } from "./identity.ts";
import { statusOf, updateStatus } from "./status.ts";
import { updatePods } from "./update.ts";

export function startStatefulSetController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const controller = startController(context, {
    workers: 5,
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    sets: informers.informer(StatefulSet),
    pods: informers.informer(Pod),
    revisions: informers.informer(ControllerRevision),
    claims: informers.informer(PersistentVolumeClaim),
    queue: controller.queue,
  };
  listen(controller, ctx);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const set = ctx.sets.get(key);
  if (!set) return; // Deleted. The garbage collector takes its Pods.
  const known = await ownRevisions(set, ctx);
  const pods = await podsOf(set, ctx);
  const revisions = await findRevisions(set, known, ctx);
  let status = statusOf(set, pods, revisions, ctx);
  try {
    const replaced = await updatePods(set, pods, revisions, ctx);
    const { currentReplicas = 0 } = status;
    status = { ...status, currentReplicas: currentReplicas - replaced };
  } finally {
    await updateStatus(set, status, ctx);
  }
  await trimHistory(set, known, pods, revisions, ctx);
  const { minReadySeconds = 0, replicas = 1 } = set.spec;
  if (minReadySeconds > 0 && status.availableReplicas !== replicas) {
    ctx.queue.addAfter(key, minReadySeconds * 1000);
  }
}
// endregion: reconcile

function podsOf(set: StatefulSet, { client, pods }: Context): Promise<Pod[]> {
  const { namespace } = set.metadata;
  const candidates = [...ownedBy(pods, set), ...orphansIn(pods, namespace)];
  const selector = selectorFor(set.spec.selector);
  const filter = (pod: Pod) => ordinalOf(set, pod.metadata.name) >= 0;
  return claim(
    { client, ownerRef: StatefulSet, owner: set, ref: Pod, selector, filter },
    candidates,
  );
}

function listen(controller: Controller, ctx: Context): void {
  const { sets, pods, revisions, claims } = ctx;
  const { queue } = controller;
  indexByController(pods);
  indexByController(revisions);
  const enqueue = (set: StatefulSet) => queue.add(keyOf(set));
  controller.on(sets, { added: enqueue, updated: enqueue, deleted: enqueue });
  const enqueueOwner = (pod: Pod) => {
    const set = controllerIn(sets, pod);
    if (set) enqueue(set);
    else if (!controllerOf(pod)) wouldAdopt(pod);
  };
  const wouldAdopt = (pod: Pod) => {
    if (sets.size === 0) return;
    for (const set of sets.list(pod.metadata.namespace)) {
      const selector = selectorFor(set.spec.selector);
      if (selector.matches(pod.metadata.labels)) enqueue(set);
    }
  };
  controller.on(pods, {
    added: enqueueOwner,
    updated(pod, old) {
      const moved = controllerOf(pod)?.uid !== controllerOf(old)?.uid;
      const before = moved ? controllerIn(sets, old) : undefined;
      if (before) enqueue(before);
      enqueueOwner(pod);
      const set = controllerIn(sets, pod);
      const { minReadySeconds = 0 } = set?.spec ?? {};
      if (!set || minReadySeconds === 0 || isReady(old) || !isReady(pod))
        return;
      queue.addAfter(keyOf(set), (minReadySeconds + 1) * 1000);
    },
    deleted(pod) {
      const set = controllerIn(sets, pod);
      if (set) enqueue(set);
    },
  });
  controller.needs(revisions, claims);
}
