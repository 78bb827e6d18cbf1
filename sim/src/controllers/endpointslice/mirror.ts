/**
 * The slices that mirror an Endpoints object somebody has written by hand.
 * Decides, does nothing.
 * Models: pkg/controller/endpointslicemirroring/{reconciler,utils}.go,
 *         pkg/api/v1/endpoints/util.go (RepackSubsets) @ v1.36
 */

import { parseIp } from "../../api/ip.ts";
import { Endpoints } from "../../api/kinds/endpoints.ts";
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type {
  DiscoveryEndpointPort,
  Endpoint,
} from "../../api/kinds/types/network.ts";
import type {
  EndpointAddress,
  EndpointPort,
} from "../../api/kinds/types/service.ts";
import { equal } from "../shared/equal.ts";
import { controllerRef } from "../shared/owners.ts";
import { TRIGGER_TIME } from "../shared/trigger-times.ts";
import { identityOf, MANAGED_BY, portsKey, SERVICE_NAME } from "./endpoint.ts";
import { type SliceChanges, sameState } from "./pack.ts";

export const MIRRORING = "endpointslicemirroring-controller.k8s.io";
/** Addresses of a subset that are mirrored at most. */
export const ADDRESSES_MAX = 1_000;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export interface MirrorPlan extends SliceChanges {
  /** Addresses that are none, and those beyond the most. */
  readonly invalid: number;
  readonly tooMany: number;
}

/** Endpoints of one address type that serve the same ports. */
interface Group {
  readonly addressType: string;
  readonly ports: readonly DiscoveryEndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

// region: plan-mirror
export function planMirror(
  endpoints: Endpoints,
  existing: readonly EndpointSlice[],
): MirrorPlan {
  const { groups, invalid, tooMany } = groupsOf(endpoints);
  const changes: SliceChanges = { create: [], update: [], delete: [] };
  const left = new Set(existing);
  for (const [key, group] of groups) {
    const [first, ...others] = existing.filter(
      (one) => keyOfSlice(one) === key,
    );
    // One slice is enough: more of a kind are left from other times.
    if (first && !isSame(first, endpoints, group)) {
      changes.update.push(sliceOf(endpoints, group, first.metadata.name));
    }
    if (!first) changes.create.push(sliceOf(endpoints, group));
    else left.delete(first);
    changes.delete.push(...others);
    for (const one of others) left.delete(one);
  }
  changes.delete.push(...left);
  recycle(changes);
  return { ...changes, invalid, tooMany };
}
// endregion: plan-mirror

function keyOfSlice({ addressType, ports }: EndpointSlice): string {
  return `${addressType} ${portsKey(ports)}`;
}

function groupsOf(endpoints: Endpoints) {
  const groups = new Map<string, Group>();
  let [invalid, tooMany] = [0, 0];
  for (const { ports, addresses } of repacked(endpoints)) {
    let added = 0;
    for (const { address, ready } of addresses) {
      const bytes = parseIp(address.ip)?.length;
      if (added >= ADDRESSES_MAX) tooMany++;
      else if (!bytes) invalid++;
      else {
        added++;
        const addressType = bytes === 4 ? "IPv4" : "IPv6";
        const key = `${addressType} ${portsKey(ports)}`;
        const group = groups.get(key) ?? {
          ...{ addressType, ports, endpoints: new Map() },
        };
        groups.set(key, group);
        const endpoint = endpointFor(address, ready);
        group.endpoints.set(identityOf(endpoint), endpoint);
      }
    }
  }
  return { groups, invalid, tooMany };
}

interface Offer {
  readonly address: EndpointAddress;
  readonly ready: boolean;
}

/** Ports that the very same addresses have stand together. */
function repacked({ subsets = [] }: Endpoints) {
  const byPort = new Map<string, Map<string, Offer>>();
  for (const { addresses = [], notReadyAddresses = [], ports } of subsets) {
    // Without ports there are addresses all the same.
    const keys = ports?.length
      ? ports.map((port) => JSON.stringify(port))
      : [""];
    for (const key of keys) {
      const offers = byPort.get(key) ?? new Map<string, Offer>();
      byPort.set(key, offers);
      const add = (address: EndpointAddress, ready: boolean) =>
        offers.set(JSON.stringify(address), { address, ready });
      for (const address of notReadyAddresses) add(address, false);
      for (const address of addresses) add(address, true);
    }
  }
  const packed = new Map<string, [DiscoveryEndpointPort[], Offer[]]>();
  for (const [port, offers] of byPort) {
    // Ready ones come first.
    const all = [...offers.values()].toSorted(
      (a, b) => Number(b.ready) - Number(a.ready),
    );
    const key = JSON.stringify(all);
    const ports = packed.get(key)?.[0] ?? [];
    if (port) ports.push(portFor(JSON.parse(port)));
    packed.set(key, [ports, all]);
  }
  return [...packed.values()].map(([ports, addresses]) => ({
    ports,
    addresses,
  }));
}

function portFor(port: EndpointPort): DiscoveryEndpointPort {
  const { name = "", protocol = "TCP", appProtocol } = port;
  const made = { name, port: port.port, protocol };
  return appProtocol ? { ...made, appProtocol } : made;
}

function endpointFor(
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(targetRef && { targetRef }),
    ...(nodeName && { nodeName }),
    ...(hostname && { hostname }),
  };
}

function isSame(
  slice: EndpointSlice,
  endpoints: Endpoints,
  group: Group,
): boolean {
  const old = slice.endpoints ?? [];
  if (old.length !== group.endpoints.size) return false;
  const wanted = sliceOf(endpoints, group).metadata;
  const { labels = {}, annotations = {} } = slice.metadata;
  if (!equal(labels, wanted.labels)) return false;
  if (!equal(annotations, wanted.annotations)) return false;
  return old.every((endpoint) => {
    const found = group.endpoints.get(identityOf(endpoint));
    return found !== undefined && sameState(found, endpoint);
  });
}

function sliceOf(
  endpoints: Endpoints,
  { addressType, ports, endpoints: members }: Group,
  name?: string,
): EndpointSlice {
  const { metadata } = endpoints;
  const {
    [TRIGGER_TIME]: _,
    [LAST_APPLIED]: __,
    ...annotations
  } = metadata.annotations ?? {};
  const labels = {
    ...metadata.labels,
    [SERVICE_NAME]: metadata.name,
    [MANAGED_BY]: MIRRORING,
  };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      ...(name ? { name } : { name: "", generateName: `${metadata.name}-` }),
      ...{ namespace: metadata.namespace, labels, annotations },
      ownerReferences: [controllerRef(Endpoints, endpoints)],
    },
    ...{ addressType, ports },
    endpoints: [...members.values()].slice(0, ADDRESSES_MAX),
  };
}

/** A slice that would be deleted takes what a new one was to hold. */
function recycle({ create, update, delete: gone }: SliceChanges): void {
  for (const made of [...create]) {
    const at = gone.findIndex((one) => one.addressType === made.addressType);
    if (at < 0) continue;
    const [old] = gone.splice(at, 1);
    create.splice(create.indexOf(made), 1);
    const { generateName: _, ...metadata } = made.metadata;
    const { name } = old!.metadata;
    update.push({ ...made, metadata: { ...metadata, name } });
  }
}
