/**
 * Endpoints controller: the same as EndpointSlices in one object per Service,
 * for old clients. It stops at 1,000 addresses.
 * Models: pkg/controller/endpoint/endpoints_controller.go @ v1.36
 */
import { Endpoints } from "../api/kinds/endpoints.ts";
import { Pod } from "../api/kinds/pod.ts";
import { Service } from "../api/kinds/service.ts";
import type { EndpointSubset } from "../api/kinds/types/service.ts";
import { hasCause, isAlreadyExists, isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey, splitKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import { subsetsOf, truncated } from "./endpoints/subsets.ts";
import { equal } from "./shared/equal.ts";
import { NAMESPACE_TERMINATING, textOf } from "./shared/pod-control.ts";
import { podsOf, servicesOf, servicesToUpdate } from "./shared/services.ts";
import { TRIGGER_TIME, TriggerTimes } from "./shared/trigger-times.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly endpoints: Informer<Endpoints>;
  readonly triggerTimes: TriggerTimes;
  /** The version that we replaced last: a copy that shows it is late. */
  readonly replaced: Map<ObjectKey, string | undefined>;
}

const HEADLESS = "service.kubernetes.io/headless";
const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";

export function startEndpointsController(context: ComponentContext): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    services: informers.informer(Service),
    pods: informers.informer(Pod),
    endpoints: informers.informer(Endpoints),
    triggerTimes: new TriggerTimes(),
    replaced: new Map(),
  };
  const controller = startController(context, {
    workers: 5,
    retriesMax: 15,
    reconcile: (key) => reconcile(key, ctx),
  });
  const { queue } = controller;
  const self = (service: Service) => queue.add(keyOf(service));
  controller.on(ctx.services, { added: self, updated: self, deleted: self });
  const enqueueAll = (keys: readonly string[]) => {
    for (const key of keys) queue.add(key);
  };
  controller.on(ctx.pods, {
    added: (pod) => enqueueAll(servicesOf(pod, ctx.services)),
    updated: (pod, old) => enqueueAll(servicesToUpdate(pod, old, ctx.services)),
    deleted: (pod) => enqueueAll(servicesOf(pod, ctx.services)),
  });
  controller.on(ctx.endpoints, { deleted: (one) => queue.add(keyOf(one)) });
  return controller;
}

// region: reconcile
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const service = ctx.services.get(key);
  if (!service) return remove(key, ctx);
  if (service.spec.type === "ExternalName" || !service.spec.selector) return;
  const pods = podsOf(service, ctx.pods);
  const time = ctx.triggerTimes.next(service, pods);
  const subsets = subsetsOf(service, pods);
  const old = ctx.endpoints.get(key);
  const { resourceVersion } = old?.metadata ?? {};
  if (old && ctx.replaced.get(key) === resourceVersion) {
    throw new Error("endpoints informer cache is out of date");
  }
  const wanted = endpointsOf(service, subsets, time, old);
  // One that was cut is written again with each look, as upstream does.
  const same =
    equal(old?.subsets, subsets) &&
    equal(old?.metadata.labels, wanted.metadata.labels) &&
    !old?.metadata.annotations?.[OVER_CAPACITY];
  if (old && same) return;
  try {
    if (!old) await ctx.client.create(Endpoints, wanted);
    else {
      const { metadata } = await ctx.client.update(Endpoints, wanted);
      // A write that changed nothing has replaced nothing.
      const isNew = metadata.resourceVersion !== resourceVersion;
      if (isNew) ctx.replaced.set(key, resourceVersion);
    }
  } catch (error) {
    if (isAlreadyExists(error)) return;
    if (!old && hasCause(error, NAMESPACE_TERMINATING)) return;
    const [reason, what] = old
      ? ["FailedToUpdateEndpoint", "update endpoint"]
      : ["FailedToCreateEndpoint", "create endpoint for service"];
    const message = `Failed to ${what} ${key}: ${textOf(error)}`;
    ctx.events.event(wanted, "Warning", `${reason}`, message);
    throw error;
  }
}
// endregion: reconcile

async function remove(key: ObjectKey, ctx: Context): Promise<void> {
  ctx.triggerTimes.forget(key);
  ctx.replaced.delete(key);
  const old = ctx.endpoints.get(key);
  if (!old?.metadata.labels?.[MANAGED_BY]) return;
  const { namespace, name } = splitKey(key);
  try {
    await ctx.client.delete(Endpoints, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function endpointsOf(
  service: Service,
  subsets: readonly EndpointSubset[],
  time: string,
  old: Endpoints | undefined,
): Endpoints {
  const { name, namespace, labels } = service.metadata;
  const { clusterIP } = service.spec;
  const headless = !clusterIP || clusterIP === "None";
  const cut = truncated(subsets);
  const had = old?.metadata.annotations;
  const { [OVER_CAPACITY]: _, [TRIGGER_TIME]: __, ...kept } = had ?? {};
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      ...(old?.metadata ?? { name, namespace }),
      labels: {
        ...labels,
        ...(headless && { [HEADLESS]: "" }),
        [MANAGED_BY]: "endpoint-controller",
      },
      annotations: {
        ...kept,
        ...(time && { [TRIGGER_TIME]: time }),
        ...(cut && { [OVER_CAPACITY]: "truncated" }),
      },
    },
    subsets: cut ?? subsets,
  };
}
