/**
 * Cloud service controller: a Service of type LoadBalancer gets one. A
 * finalizer keeps the Service until the load balancer is gone, so that none
 * is left behind to be paid for.
 * Models: staging/src/k8s.io/cloud-provider/controllers/service/controller.go
 *         @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { Service } from "../api/kinds/service.ts";
import type { LoadBalancerIngress } from "../api/kinds/types/service.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import type { CloudProvider } from "./provider.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly nodes: Informer<Node>;
  readonly cloud: CloudProvider;
}

const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
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
  };
  const enqueue = (service: Service) => {
    const concerned = wants(service) || hasFinalizer(service);
    if (concerned) controller.queue.add(keyOf(service));
  };
  controller.on(ctx.services, {
    added: enqueue,
    updated(service, old) {
      const same =
        service.spec === old.spec &&
        service.metadata.deletionTimestamp === old.metadata.deletionTimestamp;
      if (!same) enqueue(service);
    },
  });
  const all = () => {
    for (const service of ctx.services.values()) enqueue(service);
  };
  controller.on(ctx.nodes, {
    added: all,
    deleted: all,
    updated(node, old) {
      if (isTarget(node) !== isTarget(old)) all();
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

/** A Node that may get traffic from outside. */
function isTarget({ metadata, status }: Node): boolean {
  if (metadata.labels?.[EXCLUDE] !== undefined) return false;
  if (metadata.deletionTimestamp) return false;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True";
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const service = ctx.services.get(key);
  if (!service) return;
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
  const { cloud, events, nodes } = ctx;
  const owned = await setFinalizer(service, true, ctx);
  const targets = nodes.list().filter(isTarget);
  const has = (service.status?.loadBalancer?.ingress?.length ?? 0) > 0;
  const type = "Normal";
  if (!has) {
    events.event(owned, type, "EnsuringLoadBalancer", "Ensuring load balancer");
  }
  const ingress = await cloud.ensureLoadBalancer(owned, targets);
  await setIngress(owned, ingress, ctx);
  if (has) {
    const message = "Updated load balancer with new hosts";
    events.event(owned, type, "UpdatedLoadBalancer", message);
  } else {
    events.event(owned, type, "EnsuredLoadBalancer", "Ensured load balancer");
  }
}

async function cleanUp(service: Service, ctx: Context): Promise<void> {
  const { cloud, events } = ctx;
  const type = "Normal";
  events.event(service, type, "DeletingLoadBalancer", "Deleting load balancer");
  await cloud.deleteLoadBalancer(service);
  if (!service.metadata.deletionTimestamp) await setIngress(service, [], ctx);
  await setFinalizer(service, false, ctx);
  events.event(service, type, "DeletedLoadBalancer", "Deleted load balancer");
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
