/**
 * EndpointSliceMirroring controller: who writes Endpoints by hand, for a
 * Service without a selector, gets slices with the same addresses, since
 * proxies read slices alone.
 * Models: pkg/controller/endpointslicemirroring @ v1.36
 */
import { Endpoints } from "../../api/kinds/endpoints.ts";
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import { Service } from "../../api/kinds/service.ts";
import { hasCause, isNotFound } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { type Controller, startController } from "../../client/controller.ts";
import type { Informer } from "../../client/informer.ts";
import { NAMESPACE_TERMINATING, textOf } from "../shared/pod-control.ts";
import { MANAGED_BY, SERVICE_NAME } from "./endpoint.ts";
import {
  ADDRESSES_MAX,
  MIRRORING,
  type MirrorPlan,
  planMirror,
} from "./mirror.ts";
import { SliceTracker } from "./tracker.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly endpoints: Informer<Endpoints>;
  readonly slices: Informer<EndpointSlice>;
  readonly tracker: SliceTracker;
}

const SKIP = "endpointslice.kubernetes.io/skip-mirror";
const LEADER = "control-plane.alpha.kubernetes.io/leader";
const BY_ENDPOINTS = "endpoints";
const BACKOFF = { firstMs: 1_000, maxMs: 100_000 };

export function startEndpointSliceMirroringController(
  context: ComponentContext,
): Component {
  const { informers } = context;
  const ctx: Context = {
    ...context,
    services: informers.informer(Service),
    endpoints: informers.informer(Endpoints),
    slices: informers.informer(EndpointSlice),
    tracker: new SliceTracker(),
  };
  const controller = startController(context, {
    workers: 5,
    retriesMax: 15,
    backoff: BACKOFF,
    reconcile: (key) => reconcile(key, ctx),
  });
  listen(controller, ctx);
  return controller;
}

function listen(controller: Controller, ctx: Context): void {
  const { services, endpoints, slices, tracker } = ctx;
  const add = (key: ObjectKey | undefined) => {
    if (key) controller.queue.add(key);
  };
  slices.addIndex(BY_ENDPOINTS, (slice) => endpointsOf(slice) ?? "");
  controller.on(endpoints, {
    added: (one) => add(isOurs(one, ctx) ? keyOf(one) : undefined),
    updated: (one, old) => {
      if (isOurs(one, ctx) || isOurs(old, ctx)) add(keyOf(one));
    },
    deleted: (one) => add(isOurs(one, ctx) ? keyOf(one) : undefined),
  });
  const self = (service: Service) => {
    if (!service.spec.selector) add(keyOf(service));
  };
  controller.on(services, {
    added: self,
    updated(service, old) {
      if (!service.spec.selector !== !old.spec.selector) add(keyOf(service));
    },
    deleted: self,
  });
  const seen = (slice: EndpointSlice) => {
    const key = endpointsOf(slice);
    if (key && tracker.isNews(key, slice)) add(key);
  };
  controller.on(slices, {
    added: seen,
    updated: seen,
    deleted(slice) {
      const key = endpointsOf(slice);
      if (key && tracker.gone(key, slice)) add(key);
    },
  });
}

/** A Service with a selector has slices of its own, without this detour. */
function isOurs(endpoints: Endpoints, { services }: Context): boolean {
  const service = services.get(keyOf(endpoints));
  return shouldMirror(endpoints) && !service?.spec.selector;
}

function shouldMirror({ metadata }: Endpoints): boolean {
  const { labels = {}, annotations = {} } = metadata;
  return labels[SKIP] !== "true" && annotations[LEADER] === undefined;
}

// region: reconcile
export async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const endpoints = ctx.endpoints.get(key);
  const service = ctx.services.get(key);
  const existing = ctx.slices.byIndex(BY_ENDPOINTS, key);
  const mirrored = service && !service.spec.selector;
  if (!endpoints || !shouldMirror(endpoints) || !mirrored) {
    ctx.tracker.forget(key);
    for (const slice of existing) await remove(key, slice, ctx);
    return;
  }
  if (ctx.tracker.isStale(key, existing)) {
    throw new Error("EndpointSlice informer cache is out of date");
  }
  const plan = planMirror(endpoints, existing);
  tell(endpoints, plan, ctx);
  await carryOut(endpoints, plan, ctx);
}
// endregion: reconcile

function tell(
  endpoints: Endpoints,
  { invalid, tooMany }: MirrorPlan,
  { events }: Context,
): void {
  const warn = (reason: string, message: string) =>
    events.event(endpoints, "Warning", reason, message);
  if (invalid > 0) {
    const what = `Skipped ${invalid} invalid IP addresses`;
    warn("InvalidIPAddress", `${what} when mirroring to EndpointSlices`);
  }
  if (tooMany === 0) return;
  const most = `A max of ${ADDRESSES_MAX} addresses can be mirrored to EndpointSlices per Endpoints subset`;
  const skipped = `${invalid + tooMany} addresses were skipped`;
  warn("TooManyAddressesToMirror", `${most}. ${skipped}`);
}

async function carryOut(
  endpoints: Endpoints,
  plan: MirrorPlan,
  ctx: Context,
): Promise<void> {
  const { client, tracker } = ctx;
  const key = keyOf(endpoints);
  const { namespace = "", deletionTimestamp } = endpoints.metadata;
  const failed = (what: string, error: unknown) =>
    new Error(`failed to ${what} Endpoints ${key}: ${textOf(error)}`);
  for (const slice of deletionTimestamp ? [] : plan.create) {
    try {
      tracker.wrote(key, await client.create(EndpointSlice, slice));
    } catch (error) {
      if (hasCause(error, NAMESPACE_TERMINATING)) return;
      throw failed("create EndpointSlice for", error);
    }
  }
  for (const slice of plan.update) {
    const { name } = slice.metadata;
    try {
      tracker.wrote(key, await client.update(EndpointSlice, slice));
    } catch (error) {
      throw failed(`update ${name} EndpointSlice for`, error);
    }
  }
  for (const slice of plan.delete) {
    await client.delete(EndpointSlice, namespace, slice.metadata.name);
    tracker.deleted(key, slice);
  }
}

async function remove(
  key: ObjectKey,
  slice: EndpointSlice,
  { client }: Context,
): Promise<void> {
  if (slice.metadata.deletionTimestamp) return;
  const { namespace = "", name } = slice.metadata;
  try {
    await client.delete(EndpointSlice, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) throw new Error(`${key}: ${textOf(error)}`);
  }
}

/** Key of the Endpoints, if the slice is this controller's. */
function endpointsOf({ metadata }: EndpointSlice): ObjectKey | undefined {
  const { labels = {}, namespace } = metadata;
  const name = labels[SERVICE_NAME];
  if (labels[MANAGED_BY] !== MIRRORING || !name) return undefined;
  return `${namespace}/${name}`;
}
