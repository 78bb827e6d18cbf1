/**
 * Pod garbage collector: Pods that nobody will finish. Too many ended Pods,
 * Pods of a Node that is gone, Pods that are deleted before they had a Node.
 * Models: pkg/controller/podgc/gc_controller.go @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { PodCondition } from "../api/kinds/types/pod.ts";
import { isNotFound } from "../api/status.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { every } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import { patchPodCondition } from "./shared/pod-condition.ts";
import { indexByNode, isTerminated, podsOnNode } from "./shared/pods.ts";

const CHECK_MS = 20_000;
/** A Node must be missing for so long before its Pods go. */
const QUARANTINE_MS = 40_000;
const TERMINATED_MAX = 12_500;
const OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

interface Context extends ComponentContext {
  readonly nodes: Informer<Node>;
  readonly pods: Informer<Pod>;
  /** Since when a Node has been missing, simulated ms. */
  readonly missing: Map<string, number>;
}

export function startPodGarbageCollector(context: ComponentContext): Component {
  const { informers } = context;
  const nodes = informers.informer(Node);
  const pods = informers.informer(Pod);
  indexByNode(pods);
  const ctx: Context = { ...context, nodes, pods, missing: new Map() };
  const tick = async () => {
    if (nodes.hasSynced && pods.hasSynced) await collect(ctx);
  };
  return { stop: every(context, CHECK_MS, tick, CHECK_MS) };
}

// region: collect
async function collect(ctx: Context): Promise<void> {
  const terminated: Pod[] = [];
  const nodeNames = new Set<string>();
  const unbound: Pod[] = [];
  for (const pod of ctx.pods.values()) {
    if (isTerminated(pod)) terminated.push(pod);
    if (pod.spec.nodeName) nodeNames.add(pod.spec.nodeName);
    else if (pod.metadata.deletionTimestamp) unbound.push(pod);
  }
  await removeOldest(terminated, ctx);
  await removeOutOfService(ctx);
  await removeOrphans(nodeNames, ctx);
  for (const pod of unbound) await remove(pod, ctx);
}
// endregion: collect

/** Evicted ones first, then the oldest. */
async function removeOldest(
  terminated: readonly Pod[],
  ctx: Context,
): Promise<void> {
  const excess = terminated.length - TERMINATED_MAX;
  if (excess <= 0) return;
  const evicted = (pod: Pod) => Number(pod.status?.reason === "Evicted");
  const created = (pod: Pod) => pod.metadata.creationTimestamp ?? "";
  const order = terminated.toSorted(
    (a, b) =>
      evicted(b) - evicted(a) ||
      (created(a) < created(b) ? -1 : Number(created(a) > created(b))),
  );
  for (const pod of order.slice(0, excess)) await remove(pod, ctx);
}

/** Deleted Pods of a Node that a person has declared out of service. */
async function removeOutOfService(ctx: Context): Promise<void> {
  for (const node of ctx.nodes.values()) {
    const out = node.spec.taints?.some(({ key }) => key === OUT_OF_SERVICE);
    const ready = node.status?.conditions?.find((c) => c.type === "Ready");
    if (!out || ready?.status === "True") continue;
    for (const pod of podsOnNode(ctx.pods, node.metadata.name)) {
      if (pod.metadata.deletionTimestamp) await remove(pod, ctx);
    }
  }
}

async function removeOrphans(
  nodeNames: ReadonlySet<string>,
  ctx: Context,
): Promise<void> {
  const { kernel, missing, nodes, pods } = ctx;
  for (const name of missing.keys()) {
    if (!nodeNames.has(name) || nodes.get(name)) missing.delete(name);
  }
  for (const name of nodeNames) {
    if (nodes.get(name)) continue;
    const sinceMs = missing.get(name) ?? kernel.now();
    missing.set(name, sinceMs);
    if (kernel.now() - sinceMs < QUARANTINE_MS) continue;
    if (await exists(name, ctx)) continue;
    for (const pod of podsOnNode(pods, name)) {
      await remove(pod, ctx, {
        type: "DisruptionTarget",
        status: "True",
        reason: "DeletionByPodGC",
        message: "PodGC: node no longer exists",
        lastTransitionTime: kernel.timestamp(),
      });
    }
  }
}

async function exists(node: string, { client }: Context): Promise<boolean> {
  try {
    await client.get(Node, "", node);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Marks it failed, unless it has ended, and deletes it at once. */
async function remove(
  pod: Pod,
  { client }: Context,
  condition?: PodCondition,
): Promise<void> {
  const { namespace = "", name, uid } = pod.metadata;
  try {
    if (!isTerminated(pod)) {
      await patchPodCondition(client, pod, condition, { phase: "Failed" });
    }
    const preconditions = { uid };
    const options = { gracePeriodSeconds: 0, preconditions };
    await client.delete(Pod, namespace, name, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
