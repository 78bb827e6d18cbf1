/**
 * Endpoints controller: the same as EndpointSlices in one object per Service,
 * for old clients. It stops at 1,000 addresses.
 * Models:     pkg/controller/endpoint/endpoints_controller.go @ v1.36
 * Leaves out: the trigger time annotation.
 */
import { Endpoints } from "../api/kinds/endpoints.ts";
import { Pod } from "../api/kinds/pod.ts";
import { Service } from "../api/kinds/service.ts";
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
} from "../api/kinds/types/service.ts";
import { hasCause, isAlreadyExists, isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey, splitKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";
import { equal } from "./shared/equal.ts";
import { NAMESPACE_TERMINATING } from "./shared/pod-control.ts";
import { isReady } from "./shared/pods.ts";
import {
  hasEndpoint,
  podsOf,
  servicesOf,
  servicesToUpdate,
  targetPortOf,
} from "./shared/services.ts";

interface Context extends ComponentContext {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly endpoints: Informer<Endpoints>;
}

const ADDRESSES_MAX = 1_000;
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
  const { subsets, cut } = subsetsOf(service, podsOf(service, ctx.pods));
  const old = ctx.endpoints.get(key);
  const wanted = endpointsOf(service, subsets, cut, old);
  const same =
    equal(old?.subsets, subsets) &&
    equal(old?.metadata.labels, wanted.metadata.labels) &&
    equal(old?.metadata.annotations, wanted.metadata.annotations);
  if (old && same) return;
  try {
    if (old) await ctx.client.update(Endpoints, wanted);
    else await ctx.client.create(Endpoints, wanted);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    if (!hasCause(error, NAMESPACE_TERMINATING)) throw error;
  }
}
// endregion: reconcile

async function remove(key: ObjectKey, ctx: Context): Promise<void> {
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
  cut: boolean,
  old: Endpoints | undefined,
): Endpoints {
  const { name, namespace, labels } = service.metadata;
  const { clusterIP } = service.spec;
  const headless = !clusterIP || clusterIP === "None";
  const { [OVER_CAPACITY]: _, ...kept } = old?.metadata.annotations ?? {};
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
      annotations: cut ? { ...kept, [OVER_CAPACITY]: "truncated" } : kept,
    },
    subsets,
  };
}

/** Pods with equal ports share a subset; addresses in order. */
function subsetsOf(
  service: Service,
  pods: readonly Pod[],
): { subsets: EndpointSubset[]; cut: boolean } {
  const groups = new Map<string, Required<EndpointSubset>>();
  const always = service.spec.publishNotReadyAddresses ?? false;
  const usable = pods.filter((pod) => hasEndpoint(pod, always));
  const sorted = usable.toSorted((a, b) => compare(ipOf(a), ipOf(b)));
  for (const pod of sorted.slice(0, ADDRESSES_MAX)) {
    const ports = portsOf(service, pod);
    if (ports.length === 0 && service.spec.ports?.length) continue;
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? empty(ports);
    groups.set(key, group);
    const ready = always || isReady(pod);
    const list = ready ? group.addresses : group.notReadyAddresses;
    (list as EndpointAddress[]).push(addressOf(service, pod));
  }
  const subsets = [...groups.values()].map(withoutEmptyLists);
  return { subsets, cut: usable.length > ADDRESSES_MAX };
}

function empty(ports: readonly EndpointPort[]): Required<EndpointSubset> {
  return { addresses: [], notReadyAddresses: [], ports };
}

function withoutEmptyLists(subset: Required<EndpointSubset>): EndpointSubset {
  const { addresses, notReadyAddresses, ports } = subset;
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}

function portsOf(service: Service, pod: Pod): EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const servicePort of service.spec.ports ?? []) {
    const port = targetPortOf(pod, servicePort);
    if (port === undefined) continue;
    const { name, protocol = "TCP", appProtocol } = servicePort;
    ports.push({
      ...(name && { name }),
      ...{ port, protocol },
      ...(appProtocol && { appProtocol }),
    });
  }
  return ports;
}

function addressOf(service: Service, pod: Pod): EndpointAddress {
  const { name, namespace, uid } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec;
  const named = hostname && subdomain === service.metadata.name;
  return {
    ip: ipOf(pod),
    ...(named && { hostname }),
    ...(nodeName && { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function ipOf(pod: Pod): string {
  return pod.status?.podIP ?? "";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
