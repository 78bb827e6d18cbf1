/**
 * From the Pods of a Service to the slices that it should have. Decides, does
 * nothing.
 * Models: staging/src/k8s.io/endpointslice/reconciler.go @ v1.36
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Service } from "../../api/kinds/service.ts";
import type {
  DiscoveryEndpointPort,
  Endpoint,
} from "../../api/kinds/types/network.ts";
import { controllerOf, keyOf } from "../../api/types.ts";
import { equal } from "../shared/equal.ts";
import { hasEndpoint } from "../shared/services.ts";
import {
  endpointOf,
  identityOf,
  labelsOf,
  newSlice,
  portsKey,
  portsOf,
} from "./endpoint.ts";
import { hintsFor, wantsTopology } from "./hints.ts";
import { pack, type SliceChanges } from "./pack.ts";
import type { Slices } from "./redistribute.ts";
import type { HintEvent, TopologyCache } from "./topology.ts";

export interface Plan extends SliceChanges {
  /** What became of hints by share of CPU. */
  readonly events: readonly HintEvent[];
  /** Pods that were left out since their Node is not known; look again. */
  readonly homeless: readonly Pod[];
}

/** Endpoints that go to the same ports. */
interface Group {
  readonly ports: readonly DiscoveryEndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

// region: plan
export function planSlices(
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  nodeOf: (name: string) => Node | undefined,
  max: number,
  topology?: TopologyCache,
): Plan {
  const families = service.spec.ipFamilies ?? ["IPv4"];
  const total: SliceChanges = { create: [], update: [], delete: [] };
  const homeless = new Set<Pod>();
  const events: HintEvent[] = [];
  for (const family of families) {
    const slices = existing.filter((slice) => slice.addressType === family);
    const part = planFamily(service, pods, slices, nodeOf, max, family);
    const { create, update } = part;
    if (topology) {
      const unchanged = untouched(slices, part);
      const changes = { create, update, unchanged };
      events.push(...hint(service, family, changes, topology));
    }
    reuse(service, part);
    total.create.push(...part.create);
    total.update.push(...part.update);
    total.delete.push(...part.delete);
    for (const pod of part.homeless) homeless.add(pod);
  }
  const others = existing.filter((s) => !families.includes(s.addressType));
  total.delete.push(...others);
  return { ...total, homeless: [...homeless], events };
}
// endregion: plan

/** By share of CPU, if the Service asks for it. */
function hint(
  service: Service,
  family: string,
  slices: Slices,
  topology: TopologyCache,
): HintEvent[] {
  const key = keyOf(service);
  if (!wantsTopology(service)) return topology.unwanted(key, family);
  return topology.addHints(key, family, slices);
}

function untouched(
  existing: readonly EndpointSlice[],
  changes: SliceChanges,
): EndpointSlice[] {
  const written = [...changes.update, ...changes.delete];
  const names = new Set(written.map(({ metadata }) => metadata.name));
  return existing.filter(({ metadata }) => !names.has(metadata.name));
}

function planFamily(
  service: Service,
  pods: readonly Pod[],
  existing: readonly EndpointSlice[],
  nodeOf: (name: string) => Node | undefined,
  max: number,
  family: string,
): SliceChanges & { homeless: readonly Pod[] } {
  const { groups, homeless } = groupPods(service, pods, nodeOf, family);
  const labels = labelsOf(service);
  const changes: SliceChanges = { create: [], update: [], delete: [] };
  const own = existing.filter((s) => isOwn(s, service));
  for (const [key, { ports, endpoints }] of groups) {
    const same = own.filter((slice) => portsKey(slice.ports) === key);
    if (wantsTopology(service)) keepHints(same, endpoints);
    const empty = () => newSlice(service, family, ports, []);
    const part = pack(same, endpoints, labels, max, empty);
    changes.create.push(...part.create);
    changes.update.push(...part.update);
    changes.delete.push(...part.delete);
  }
  for (const slice of existing) {
    const wanted = isOwn(slice, service) && groups.has(portsKey(slice.ports));
    if (!wanted) changes.delete.push(slice);
  }
  keepPlaceholder(service, existing, changes, family);
  return { ...changes, homeless };
}

/** Another zone's hint is no reason to write an endpoint anew. */
function keepHints(
  slices: readonly EndpointSlice[],
  desired: Map<string, Endpoint>,
): void {
  for (const old of slices.flatMap(({ endpoints = [] }) => endpoints)) {
    const identity = identityOf(old);
    const wanted = desired.get(identity);
    if (!wanted || !old.hints) continue;
    desired.set(identity, { ...wanted, hints: old.hints });
  }
}

function isOwn(slice: EndpointSlice, service: Service): boolean {
  return controllerOf(slice)?.uid === service.metadata.uid;
}

function groupPods(
  service: Service,
  pods: readonly Pod[],
  nodeOf: (name: string) => Node | undefined,
  family: string,
): { groups: Map<string, Group>; homeless: Pod[] } {
  const groups = new Map<string, Group>();
  const homeless: Pod[] = [];
  for (const pod of pods) {
    if (!hasEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map() };
    groups.set(key, group);
    const node = nodeOf(pod.spec.nodeName ?? "");
    if (!node && !service.spec.publishNotReadyAddresses) {
      homeless.push(pod);
      continue;
    }
    const endpoint = endpointOf(pod, node, service, family);
    if (endpoint.addresses.length === 0) continue;
    const hints = hintsFor(service, endpoint);
    const hinted = hints ? { ...endpoint, hints } : endpoint;
    group.endpoints.set(identityOf(endpoint), hinted);
  }
  return { groups, homeless };
}

/** A Service without endpoints has one slice that says so. */
function keepPlaceholder(
  service: Service,
  existing: readonly EndpointSlice[],
  changes: SliceChanges,
  family: string,
): void {
  if (changes.create.length > 0) return;
  if (existing.length !== changes.delete.length) return;
  const placeholder = newSlice(service, family, [], []);
  const [only] = changes.delete;
  const kept =
    changes.delete.length === 1 &&
    equal(only?.endpoints, []) &&
    equal(only?.ports, []) &&
    equal(only?.metadata.labels, placeholder.metadata.labels);
  if (kept) changes.delete.pop();
  else changes.create.push(placeholder);
}

/** A slice that would be deleted takes what a new one was to hold. */
function reuse(service: Service, changes: SliceChanges): void {
  for (let i = 0; i < changes.delete.length && changes.create.length > 0; ) {
    const old = changes.delete[i]!;
    if (!isOwn(old, service) || old.metadata.deletionTimestamp) {
      i++;
      continue;
    }
    const made = changes.create.pop()!;
    const { name } = old.metadata;
    changes.update.push({ ...made, metadata: { ...made.metadata, name } });
    changes.delete.splice(i, 1);
  }
}
