/**
 * Gives endpoints to zones: each to its own at first, then from zones that
 * have too many to those that lack some.
 * Models: staging/src/k8s.io/endpointslice/topologycache/{topologycache,utils,
 *         sliceinfo}.go @ v1.36 (which takes zones in Go's random order)
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Endpoint } from "../../api/kinds/types/network.ts";

/** Of a family of a Service's addresses. */
export interface Slices {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly unchanged: readonly EndpointSlice[];
}

/** How many endpoints a zone shall have. */
export interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

export type Allocations = ReadonlyMap<string, Allocation>;

type Counts = Map<string, number>;

/** How many endpoints each zone has been given in the end. */
export function redistribute(slices: Slices, allocations: Allocations): Counts {
  const given = keepGood(slices, allocations);
  const lists = [slices.create, slices.update];
  const each = (change: (endpoint: Endpoint) => Endpoint) => {
    for (const list of lists) {
      for (const [i, slice] of list.entries()) {
        list[i] = { ...slice, endpoints: slice.endpoints?.map(change) };
      }
    }
  };
  each((endpoint) => {
    const { hints: _, ...rest } = endpoint;
    const { zone } = endpoint;
    if (!isReady(endpoint) || !zone) return rest;
    add(given, zone, 1);
    return forZone(endpoint, zone);
  });
  const { giving, receiving } = movesFor(allocations, given);
  each((endpoint) => {
    const { zone } = endpoint;
    const [to] = receiving.keys();
    if (!isReady(endpoint) || !zone || !to || !giving.has(zone)) {
      return endpoint;
    }
    takeOne(giving, zone);
    takeOne(receiving, to);
    add(given, to, 1);
    add(given, zone, -1);
    return forZone(endpoint, to);
  });
  return given;
}

/** Slices whose hints will do stay as they are; the others are written. */
function keepGood(slices: Slices, allocations: Allocations): Counts {
  const given: Counts = new Map();
  for (const slice of slices.unchanged) {
    const counts = hintsIn(slice, given, allocations);
    if (!counts) slices.update.push(slice);
    for (const [zone, count] of counts ?? []) add(given, zone, count);
  }
  return given;
}

/** Undefined if one has none, or a zone would have too many. */
function hintsIn(
  { endpoints = [] }: EndpointSlice,
  given: Counts,
  allocations: Allocations,
): Counts | undefined {
  const counts: Counts = new Map();
  for (const { hints } of endpoints.filter(isReady)) {
    if (!hints?.forZones?.length) return undefined;
    for (const { name } of hints.forZones) add(counts, name, 1);
  }
  for (const [zone, count] of counts) {
    const { maximum = -1 } = allocations.get(zone) ?? {};
    if (count + (given.get(zone) ?? 0) > maximum) return undefined;
  }
  return counts;
}

/** Whole endpoints, from the zone that has most too many each time. */
function movesFor(allocations: Allocations, given: Counts) {
  const tooMany: Counts = new Map();
  const tooFew: Counts = new Map();
  for (const [zone, { desired }] of allocations) {
    const more = (given.get(zone) ?? 0) - desired;
    if (more > 0) tooMany.set(zone, more);
    if (more < 0) tooFew.set(zone, -more);
  }
  const giving: Counts = new Map();
  const receiving: Counts = new Map();
  for (;;) {
    const [from, surplus] = mostOf(tooMany);
    const [to, need] = mostOf(tooFew);
    if (!from || !to || surplus < 0.5 || need < 0.5) break;
    if (surplus < 1 && need < 1) break;
    add(giving, from, 1);
    add(tooMany, from, -1);
    add(receiving, to, 1);
    add(tooFew, to, -1);
  }
  return { giving, receiving };
}

function mostOf(counts: Counts): [string, number] {
  let most: [string, number] = ["", 0];
  for (const entry of counts) if (entry[1] > most[1]) most = entry;
  return most;
}

export function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}

function forZone(endpoint: Endpoint, name: string): Endpoint {
  return { ...endpoint, hints: { forZones: [{ name }] } };
}

function add(counts: Counts, zone: string, count: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + count);
}

function takeOne(counts: Counts, zone: string): void {
  const left = (counts.get(zone) ?? 0) - 1;
  if (left > 0) counts.set(zone, left);
  else counts.delete(zone);
}
