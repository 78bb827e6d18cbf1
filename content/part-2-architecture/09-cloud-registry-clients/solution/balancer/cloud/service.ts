/**
 * Cloud service controller: a Service of type LoadBalancer gets one. A
 * finalizer keeps the Service until the load balancer is gone, so that none
 * is left behind to be paid for.
 * Models: staging/src/k8s.io/cloud-provider/controllers/service/controller.go
 *         @ v1.36
 */
import { same } from "../api/kinds/access.ts";
import { Node } from "../api/kinds/node.ts";
import { Service } from "../api/kinds/service.ts";
import type { LoadBalancerIngress } from "../api/kinds/types/service.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { EventType } from "../client/events.ts";
import type { Informer } from "../client/informer.ts";
import type { CloudProvider } from "./provider.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly nodes: Informer<Node>;
  readonly cloud: CloudProvider;
  /** What each load balancer was last made for, by the Service's key. */
  readonly synced: Map<ObjectKey, Synced>;
}

interface Synced {
  readonly spec: Service["spec"];
  /** Names of the Nodes. */
  readonly nodes: string;
}

const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
const TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";
const EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";

export function startCloudServiceController(
  context: ComponentContext,
  cloud: CloudProvider,
): Component {
  const { informers } = context;
  const controller = startController(context, {
    workers: 1,
    backoff: { firstMs: 5_000, maxMs: 300_000 },
    reconcile: (key) => reconcile(key, ctx),
  });
  const ctx: Context = {
    ...context,
    services: informers.informer(Service),
    nodes: informers.informer(Node),
    cloud,
    synced: new Map(),
  };
  const enqueue = (service: Service) => {
    const concerned = wants(service) || hasFinalizer(service);
    if (concerned) controller.queue.add(keyOf(service));
  };
  controller.on(ctx.services, {
    added: enqueue,
    updated(service, old) {
      const unchanged =
        same(service.spec, old.spec) &&
        service.metadata.deletionTimestamp === old.metadata.deletionTimestamp;
      if (!unchanged) enqueue(service);
    },
  });
  const all = () => {
    for (const service of ctx.services.values()) enqueue(service);
  };
  controller.on(ctx.nodes, {
    added: all,
    deleted: all,
    updated(node, old) {
      const unchanged =
        isIncluded(node) === isIncluded(old) &&
        node.spec.providerID === old.spec.providerID;
      if (!unchanged) all();
    },
  });
  return controller;
}

function wants({ spec, metadata }: Service): boolean {
  if (spec.type !== "LoadBalancer" || spec.loadBalancerClass) return false;
  return !metadata.deletionTimestamp;
}

function hasFinalizer({ metadata }: Service): boolean {
  return metadata.finalizers?.includes(FINALIZER) ?? false;
}

// region: targets
/**
 * A Node that may get traffic from outside. Whether it is Ready is not asked:
 * the load balancer's own health check finds out, and sooner.
 */
function isTarget(node: Node): boolean {
  const { metadata, spec } = node;
  if (metadata.deletionTimestamp || !isIncluded(node)) return false;
  return !spec.taints?.some(({ key }) => key === TO_BE_DELETED);
}
// endregion: targets

function isIncluded({ metadata }: Node): boolean {
  return metadata.labels?.[EXCLUDE] === undefined;
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const service = ctx.services.get(key);
  if (!service) return void ctx.synced.delete(key);
  try {
    if (wants(service)) await ensure(service, ctx);
    else if (hasFinalizer(service)) await cleanUp(service, ctx);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Error syncing load balancer: ${why}`;
    ctx.events.event(service, "Warning", "SyncLoadBalancerFailed", message);
    throw error;
  }
}
// endregion: reconcile

async function ensure(service: Service, ctx: Context): Promise<void> {
  const { cloud, nodes, synced } = ctx;
  const targets = nodes.list().filter(isTarget);
  const key = keyOf(service);
  const last = synced.get(key);
  const names = targets.map(({ metadata }) => metadata.name).join();
  const say = eventsOf(service, ctx);
  if (last && same(last.spec, service.spec)) {
    // The Nodes have changed, or there is nothing to do.
    if (last.nodes === names) return;
    await cloud.updateLoadBalancer(service, targets);
    if (targets.length > 0) say("UpdatedLoadBalancer", HOSTS);
  } else {
    const owned = await setFinalizer(service, true, ctx);
    say("EnsuringLoadBalancer", "Ensuring load balancer");
    const ingress = await cloud.ensureLoadBalancer(owned, targets);
    await setIngress(owned, ingress, ctx);
    say("EnsuredLoadBalancer", "Ensured load balancer");
  }
  if (targets.length === 0) say("UnAvailableLoadBalancer", NO_NODES, "Warning");
  synced.set(key, { spec: service.spec, nodes: names });
}

const HOSTS = "Updated load balancer with new hosts";
const NO_NODES = "There are no available nodes for LoadBalancer";

function eventsOf(service: Service, { events }: Context) {
  return (reason: string, message: string, type: EventType = "Normal") =>
    events.event(service, type, reason, message);
}

async function cleanUp(service: Service, ctx: Context): Promise<void> {
  const { cloud, synced } = ctx;
  const say = eventsOf(service, ctx);
  say("DeletingLoadBalancer", "Deleting load balancer");
  await cloud.deleteLoadBalancer(service);
  synced.delete(keyOf(service));
  if (!service.metadata.deletionTimestamp) await setIngress(service, [], ctx);
  await setFinalizer(service, false, ctx);
  say("DeletedLoadBalancer", "Deleted load balancer");
}

async function setFinalizer(
  service: Service,
  wanted: boolean,
  { client }: Context,
): Promise<Service> {
  if (hasFinalizer(service) === wanted) return service;
  const { namespace = "", name, finalizers = [] } = service.metadata;
  const left = wanted
    ? [...finalizers, FINALIZER]
    : finalizers.filter((one) => one !== FINALIZER);
  const body = { metadata: { finalizers: left } };
  const type = "application/merge-patch+json";
  try {
    return await client.patch(Service, namespace, name, type, body);
  } catch (error) {
    if (isNotFound(error)) return service;
    throw error;
  }
}

async function setIngress(
  service: Service,
  ingress: readonly LoadBalancerIngress[],
  { client }: Context,
): Promise<void> {
  const before = service.status?.loadBalancer?.ingress ?? [];
  const texts = (list: readonly LoadBalancerIngress[]) =>
    list.map(({ ip = "", hostname = "" }) => `${ip} ${hostname}`).join();
  if (texts(before) === texts(ingress)) return;
  const { namespace = "", name } = service.metadata;
  const body = { status: { loadBalancer: { ingress } } };
  const type = "application/merge-patch+json";
  const more = { subresource: "status" };
  await client.patch(Service, namespace, name, type, body, more);
}
