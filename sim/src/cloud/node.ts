/**
 * Cloud node controllers. One fills in what only the cloud knows about a new
 * Node and takes its `uninitialized` taint off; the other deletes the Node of
 * a machine that is gone, and taints that of one that is switched off.
 * Models: staging/src/k8s.io/cloud-provider/controllers/{node,nodelifecycle}
 *         @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { every, startController } from "../client/controller.ts";
import type { CloudProvider, Instance } from "./provider.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
const MONITOR_MS = 5_000;
const STRATEGIC = "application/strategic-merge-patch+json";

// region: initialize
export function startCloudNodeController(
  context: ComponentContext,
  cloud: CloudProvider,
): Component {
  const { client, events, informers } = context;
  const nodes = informers.informer(Node);
  const reconcile = async (name: string) => {
    const node = nodes.get(name);
    if (!node || !hasTaint(node, UNINITIALIZED)) return;
    const instance = await cloud.instanceOf(node);
    if (!instance)
      throw new Error(`failed to get instance metadata for node ${name}`);
    const { addresses } = instance;
    const more = { subresource: "status" };
    const status = { addresses };
    await client.patch(Node, "", name, STRATEGIC, { status }, more);
    const taints = (node.spec.taints ?? []).filter(
      ({ key }) => key !== UNINITIALIZED,
    );
    const { providerId: providerID } = instance;
    await client.patch(Node, "", name, STRATEGIC, {
      metadata: { labels: labelsOf(instance) },
      spec: { providerID, taints },
    });
    const message = "Node synced successfully";
    events.event(node, "Normal", "Synced", message);
  };
  const controller = startController(context, { workers: 1, reconcile });
  const enqueue = (node: Node) => controller.queue.add(keyOf(node));
  controller.on(nodes, { added: enqueue, updated: enqueue });
  return controller;
}
// endregion: initialize

function hasTaint({ spec }: Node, key: string): boolean {
  return spec.taints?.some((taint) => taint.key === key) ?? false;
}

function labelsOf({ instanceType, zone, region }: Instance) {
  return {
    "node.kubernetes.io/instance-type": instanceType,
    "topology.kubernetes.io/zone": zone,
    "topology.kubernetes.io/region": region,
  };
}

// region: lifecycle
export function startCloudNodeLifecycleController(
  context: ComponentContext,
  cloud: CloudProvider,
): Component {
  const nodes = context.informers.informer(Node);
  const look = async () => {
    for (const node of nodes.list()) {
      const ready = node.status?.conditions?.find((c) => c.type === "Ready");
      if (ready?.status === "True") {
        await setShutdown(node, false, context);
        continue;
      }
      if (!ready) continue;
      const instance = await cloud.instanceOf(node);
      if (!instance) await remove(node, context);
      else await setShutdown(node, instance.isShutdown, context);
    }
  };
  return { stop: every(context, MONITOR_MS, look, MONITOR_MS) };
}
// endregion: lifecycle

async function remove(
  node: Node,
  { client, events }: ComponentContext,
): Promise<void> {
  const { name } = node.metadata;
  const message = `Deleting node ${name} because it does not exist in the cloud provider`;
  events.event(node, "Normal", "DeletingNode", message);
  try {
    await client.delete(Node, "", name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function setShutdown(
  node: Node,
  isShutdown: boolean,
  { client }: ComponentContext,
): Promise<void> {
  if (hasTaint(node, SHUTDOWN) === isShutdown) return;
  const others = (node.spec.taints ?? []).filter(({ key }) => key !== SHUTDOWN);
  const taint = { key: SHUTDOWN, effect: "NoSchedule" };
  const taints = isShutdown ? [...others, taint] : others;
  const { name } = node.metadata;
  await client.patch(Node, "", name, STRATEGIC, { spec: { taints } });
}
