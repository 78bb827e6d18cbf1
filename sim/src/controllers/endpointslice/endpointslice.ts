/**
 * EndpointSlice controller: for every Service with a selector, the addresses
 * of its Pods in slices of at most 100, so that one Pod's change makes a
 * small message and not a large one.
 * Models: pkg/controller/endpointslice/endpointslice_controller.go @ v1.36
 */
import { aggregate } from "../../api/field-error.ts";
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import { Node } from "../../api/kinds/node.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { Service } from "../../api/kinds/service.ts";
import { hasCause } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { type Controller, startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { NAMESPACE_TERMINATING, textOf } from "../shared/pod-control.ts";
import { podsOf, servicesOf, servicesToUpdate } from "../shared/services.ts";
import { TRIGGER_TIME, TriggerTimes } from "../shared/trigger-times.ts";
import { MANAGED_BY, MANAGER, SERVICE_NAME } from "./endpoint.ts";
import type { SliceChanges } from "./pack.ts";
import { planSlices } from "./plan.ts";
import { placeOf, TopologyCache } from "./topology.ts";
import { SliceTracker } from "./tracker.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly slices: Informer<EndpointSlice>;
  readonly triggerTimes: TriggerTimes;
  readonly maxEndpoints: number;
  readonly tracker: SliceTracker;
  readonly topology: TopologyCache;
}

const BY_SERVICE = "service";
/** Waits after errors; longer than others', since a sync may write much. */
const BACKOFF = { firstMs: 1_000, maxMs: 1_000_000 };
/** Changes of slices by others are gathered for so long. */
const SLICE_CHANGE_MS = 1_000;

export function startEndpointSliceController(
  context: ComponentContext,
  { maxEndpoints = 100 }: { maxEndpoints?: number } = {},
): Component {
  const { informers } = context;
  const nodes = informers.informer(Node);
  const ctx: Context = {
    ...context,
    services: informers.informer(Service),
    pods: informers.informer(Pod),
    nodes,
    slices: informers.informer(EndpointSlice),
    triggerTimes: new TriggerTimes(),
    maxEndpoints,
    tracker: new SliceTracker(),
    topology: new TopologyCache(() => nodes.list()),
  };
  const controller = startController(context, {
    workers: 5,
    retriesMax: 15,
    backoff: BACKOFF,
    reconcile: (key) => reconcile(key, ctx),
  });
  const { queue } = controller;
  ctx.slices.addIndex(BY_SERVICE, (slice) => serviceOf(slice) ?? "");
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
  listenToSlices(controller, ctx);
  const nodesChanged = () => enqueueAll(ctx.topology.nodesChanged());
  controller.on(ctx.nodes, {
    added: nodesChanged,
    updated(node, old) {
      if (placeOf(node) !== placeOf(old)) nodesChanged();
    },
    deleted: nodesChanged,
  });
  return controller;
}

/** Someone else may have changed or removed a slice of ours. */
function listenToSlices(controller: Controller, ctx: Context): void {
  const later = (key: ObjectKey | undefined) => {
    if (key) controller.queue.addAfter(key, SLICE_CHANGE_MS);
  };
  const seen = (slice: EndpointSlice) => {
    const key = serviceOf(slice);
    if (key && ctx.tracker.isNews(key, slice)) later(key);
  };
  controller.on(ctx.slices, {
    added: seen,
    updated(slice, old) {
      if (serviceOf(slice) === serviceOf(old)) return seen(slice);
      // Someone took it from one Service, or gave it to another.
      later(serviceOf(old));
      later(serviceOf(slice));
    },
    deleted(slice) {
      const key = serviceOf(slice);
      if (key && ctx.tracker.gone(key, slice)) later(key);
    },
  });
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const service = ctx.services.get(key);
  if (!service) {
    ctx.tracker.forget(key);
    ctx.topology.forget(key);
    return ctx.triggerTimes.forget(key);
  }
  if (service.spec.type === "ExternalName" || !service.spec.selector) return;
  const existing = ctx.slices
    .byIndex(BY_SERVICE, key)
    .filter((slice) => !slice.metadata.deletionTimestamp);
  if (ctx.tracker.isStale(key, existing)) {
    throw new Error("EndpointSlice informer cache is out of date");
  }
  const pods = podsOf(service, ctx.pods);
  const time = ctx.triggerTimes.next(service, pods);
  const nodeOf = (name: string) => ctx.nodes.get(name);
  const plan = planSlices(
    ...([service, pods, existing, nodeOf] as const),
    ...([ctx.maxEndpoints, ctx.topology] as const),
  );
  try {
    await carryOut(service, plan, time, ctx);
    const { homeless } = plan;
    if (homeless.length > 0) throw new Error(homelessText(key, homeless));
  } catch (error) {
    const message = `Error updating Endpoint Slices for Service ${key}: ${textOf(error)}`;
    const reason = "FailedToUpdateEndpointSlices";
    ctx.events.event(service, "Warning", reason, message);
    throw error;
  } finally {
    for (const { type, reason, message } of plan.events) {
      ctx.events.event(service, type, reason, message);
    }
  }
}
// endregion: reconcile

/** Pods that were left out since their Node is not known (any more). */
function homelessText(service: ObjectKey, pods: readonly Pod[]): string {
  const texts = pods.map(
    ({ metadata: { name }, spec: { nodeName = "" } }) =>
      `skipping Pod ${name} for Service ${service}: Node ${nodeName} Not Found`,
  );
  return aggregate(texts);
}

async function carryOut(
  service: Service,
  changes: SliceChanges,
  triggerTime: string,
  ctx: Context,
): Promise<void> {
  const { client, tracker } = ctx;
  const key = keyOf(service);
  const creates = service.metadata.deletionTimestamp ? [] : changes.create;
  for (const slice of creates) {
    try {
      const stamped = withTriggerTime(slice, triggerTime);
      tracker.wrote(key, await client.create(EndpointSlice, stamped));
    } catch (error) {
      if (hasCause(error, NAMESPACE_TERMINATING)) return;
      throw error;
    }
  }
  for (const slice of changes.update) {
    const stamped = withTriggerTime(slice, triggerTime);
    tracker.wrote(key, await client.update(EndpointSlice, stamped));
  }
  for (const slice of changes.delete) {
    const { namespace = "", name } = slice.metadata;
    await client.delete(EndpointSlice, namespace, name);
    tracker.deleted(key, slice);
  }
}

function withTriggerTime(slice: EndpointSlice, time: string): EndpointSlice {
  const { [TRIGGER_TIME]: _, ...others } = slice.metadata.annotations ?? {};
  const annotations = time ? { ...others, [TRIGGER_TIME]: time } : others;
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}

/** Key of the Service, if the slice is this controller's. */
function serviceOf({ metadata }: EndpointSlice): string | undefined {
  const { labels = {}, namespace } = metadata;
  if (labels[MANAGED_BY] !== MANAGER || !labels[SERVICE_NAME]) return undefined;
  return `${namespace}/${labels[SERVICE_NAME]}`;
}
