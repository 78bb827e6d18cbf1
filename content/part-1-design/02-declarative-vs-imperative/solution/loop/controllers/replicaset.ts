/**
 * A small loop in the ReplicaSet controller's place: at each piece of news it
 * looks at what is wanted and what is there, and acts on the difference.
 * Stands in for: controllers/replicaset.ts
 */
import { Pod } from "../api/kinds/pod.ts";
import { ReplicaSet } from "../api/kinds/replicaset.ts";
import { controllerOf, keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { podFromTemplate } from "./shared/pod-control.ts";
import { isActive } from "./shared/pods.ts";

type Context = ComponentContext;

/** Called, one at a time, when a ReplicaSet or a Pod of it has changed. */
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const rs = await read(key, ctx);
  const there = await podsOf(rs, ctx);
  const wanted = rs.spec.replicas ?? 1;
  for (let n = there.length; n < wanted; n++) await create(rs, ctx);
  for (const pod of there.slice(wanted)) await remove(pod, ctx);
}

/** What was asked for, as the API server has it now. */
function read(key: ObjectKey, { client }: Context): Promise<ReplicaSet> {
  const [namespace = "", name = ""] = key.split("/");
  return client.get(ReplicaSet, namespace, name);
}

/** What is there: its living Pods, as the API server has them now. */
async function podsOf(rs: ReplicaSet, { client }: Context): Promise<Pod[]> {
  const { items } = await client.list(Pod, rs.metadata.namespace);
  const isMine = (pod: Pod) => controllerOf(pod)?.uid === rs.metadata.uid;
  return items.filter((pod) => isMine(pod) && isActive(pod));
}

/** One Pod more. Throws if the API server says no; then it is called again. */
async function create(rs: ReplicaSet, { client }: Context): Promise<void> {
  const template = rs.spec.template ?? { spec: { containers: [] } };
  await client.create(Pod, podFromTemplate(template, ReplicaSet, rs));
}

/** One Pod less. */
async function remove({ metadata }: Pod, { client }: Context): Promise<void> {
  await client.delete(Pod, metadata.namespace ?? "", metadata.name);
}

export function startReplicaSetController(
  context: ComponentContext,
): Component {
  const controller = startController(context, {
    workers: 1,
    reconcile: (key) => reconcile(key, context),
  });
  const replicaSets = context.informers.informer(ReplicaSet);
  const wake = (rs: ReplicaSet) => controller.queue.add(keyOf(rs));
  controller.on(replicaSets, { added: wake, updated: wake });
  const wakeOwner = (pod: Pod) => {
    const owner = controllerOf(pod);
    const isOurs = owner?.kind === "ReplicaSet";
    if (isOurs) controller.queue.add(`${pod.metadata.namespace}/${owner.name}`);
  };
  const pods = context.informers.informer(Pod);
  controller.on(pods, {
    added: wakeOwner,
    updated: wakeOwner,
    deleted: wakeOwner,
  });
  return controller;
}
