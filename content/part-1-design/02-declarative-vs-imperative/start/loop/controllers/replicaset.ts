/**
 * A deploy script in the ReplicaSet controller's place: it hears of a new
 * ReplicaSet, carries out its steps once, and never looks back.
 * Stands in for: controllers/replicaset.ts
 */
import { Pod } from "../api/kinds/pod.ts";
import { ReplicaSet } from "../api/kinds/replicaset.ts";
import { controllerOf, keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { podFromTemplate } from "./shared/pod-control.ts";
import { isActive } from "./shared/pods.ts";

interface Context extends ComponentContext {
  /** ReplicaSets that were deployed. Gone when this program stops. */
  readonly done: Set<ObjectKey>;
}

/** Called, one at a time, when a ReplicaSet or a Pod of it has changed. */
async function deploy(key: ObjectKey, ctx: Context): Promise<void> {
  if (ctx.done.has(key)) return; // Deployed. Nothing more to do.
  const rs = await read(key, ctx);
  const wanted = rs.spec.replicas ?? 1;
  for (let step = 1; step <= wanted; step++) {
    await create(rs, ctx);
  }
  ctx.done.add(key);
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

/** One Pod more. Throws if the API server says no; then `deploy` comes again. */
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
  const ctx: Context = { ...context, done: new Set() };
  const controller = startController(context, {
    workers: 1,
    reconcile: (key) => deploy(key, ctx),
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
