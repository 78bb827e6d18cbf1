/**
 * EndpointSlice controller: for every Service with a selector, the addresses
 * of its Pods in slices of at most 100, so that one Pod's change makes a
 * small message and not a large one.
 * Models:     pkg/controller/endpointslice/endpointslice_controller.go @ v1.36
 * Leaves out: topology hints by CPU share (an annotation, deprecated).
 */
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import { Node } from "../../api/kinds/node.ts";
import { Pod } from "../../api/kinds/pod.ts";
import { Service } from "../../api/kinds/service.ts";
import { hasCause, isNotFound } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { NAMESPACE_TERMINATING, textOf } from "../shared/pod-control.ts";
import { podsOf, servicesOf, servicesToUpdate } from "../shared/services.ts";
import { MANAGED_BY, MANAGER, SERVICE_NAME } from "./endpoint.ts";
import type { SliceChanges } from "./pack.ts";
import { planSlices } from "./plan.ts";
import { TriggerTimes } from "./trigger-times.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly slices: Informer<EndpointSlice>;
  readonly triggerTimes: TriggerTimes;
  readonly maxEndpoints: number;
  /** Newest generation written, by slice; a copy that is older is stale. */
  readonly written: Map<string, number>;
}

const BY_SERVICE = "service";
const TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

export function startEndpointSliceController(
  context: ComponentContext,
  { maxEndpoints = 100 }: { maxEndpoints?: number } = {},
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    services: informers.informer(Service),
    pods: informers.informer(Pod),
    nodes: informers.informer(Node),
    slices: informers.informer(EndpointSlice),
    triggerTimes: new TriggerTimes(),
    maxEndpoints,
    written: new Map(),
  };
  const controller = startController(context, {
    workers: 5,
    retriesMax: 15,
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
  controller.on(ctx.slices, {
    // Someone else changed or removed a slice of ours.
    added: (slice) => notWritten(slice, ctx) && queue.add(serviceOf(slice)!),
    updated: (slice) => notWritten(slice, ctx) && queue.add(serviceOf(slice)!),
    deleted(slice) {
      const key = serviceOf(slice);
      if (key && ctx.written.delete(slice.metadata.uid ?? "")) queue.add(key);
    },
  });
  controller.needs(ctx.nodes);
  return controller;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const service = ctx.services.get(key);
  if (!service) return ctx.triggerTimes.forget(key);
  if (service.spec.type === "ExternalName" || !service.spec.selector) return;
  const existing = ctx.slices
    .byIndex(BY_SERVICE, key)
    .filter((slice) => !slice.metadata.deletionTimestamp);
  if (existing.some((slice) => isStale(slice, ctx))) {
    throw new Error("EndpointSlice informer cache is out of date");
  }
  const pods = podsOf(service, ctx.pods);
  const time = ctx.triggerTimes.next(service, pods);
  const nodeOf = (name: string) => ctx.nodes.get(name);
  const { maxEndpoints } = ctx;
  const plan = planSlices(service, pods, existing, nodeOf, maxEndpoints);
  try {
    await carryOut(service, plan, time, ctx);
  } catch (error) {
    const message = `Error updating Endpoint Slices for Service ${key}: ${textOf(error)}`;
    const reason = "FailedToUpdateEndpointSlices";
    ctx.events.event(service, "Warning", reason, message);
    throw error;
  }
  if (plan.incomplete) throw new Error(`a Node of a Pod of ${key} is missing`);
}
// endregion: reconcile

async function carryOut(
  service: Service,
  changes: SliceChanges,
  triggerTime: string,
  ctx: Context,
): Promise<void> {
  const { client } = ctx;
  const creates = service.metadata.deletionTimestamp ? [] : changes.create;
  for (const slice of creates) {
    try {
      const stamped = withTriggerTime(slice, triggerTime);
      note(await client.create(EndpointSlice, stamped), ctx);
    } catch (error) {
      if (hasCause(error, NAMESPACE_TERMINATING)) return;
      throw error;
    }
  }
  for (const slice of changes.update) {
    const stamped = withTriggerTime(slice, triggerTime);
    note(await client.update(EndpointSlice, stamped), ctx);
  }
  for (const { metadata } of changes.delete) {
    const { namespace = "", name, uid = "" } = metadata;
    ctx.written.delete(uid);
    try {
      await client.delete(EndpointSlice, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function withTriggerTime(slice: EndpointSlice, time: string): EndpointSlice {
  const { [TRIGGER_TIME]: _, ...others } = slice.metadata.annotations ?? {};
  const annotations = time ? { ...others, [TRIGGER_TIME]: time } : others;
  return { ...slice, metadata: { ...slice.metadata, annotations } };
}

function note({ metadata }: EndpointSlice, { written }: Context): void {
  written.set(metadata.uid ?? "", metadata.generation ?? 0);
}

/** The copy does not show our own last write yet. */
function isStale({ metadata }: EndpointSlice, { written }: Context): boolean {
  return (written.get(metadata.uid ?? "") ?? 0) > (metadata.generation ?? 0);
}

/** A state that this controller did not make. */
function notWritten(slice: EndpointSlice, { written }: Context): boolean {
  if (!serviceOf(slice)) return false;
  const { uid = "", generation = 0 } = slice.metadata;
  return generation > (written.get(uid) ?? Number.POSITIVE_INFINITY);
}

/** Key of the Service, if the slice is this controller's. */
function serviceOf({ metadata }: EndpointSlice): string | undefined {
  const { labels = {}, namespace } = metadata;
  if (labels[MANAGED_BY] !== MANAGER || !labels[SERVICE_NAME]) return undefined;
  return `${namespace}/${labels[SERVICE_NAME]}`;
}
