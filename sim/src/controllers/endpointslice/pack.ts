/**
 * Packs endpoints into slices of one set of ports, with few writes: slices
 * that change anyway are filled first, then one that has room for all that is
 * left, then new ones. Slices are never merged for tidiness.
 * Models: staging/src/k8s.io/endpointslice/reconciler.go
 *         (reconcileByPortMapping) @ v1.36
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Endpoint } from "../../api/kinds/types/network.ts";
import type { Labels } from "../../api/types.ts";
import { equal } from "../shared/equal.ts";
import { identityOf } from "./endpoint.ts";

/** What is to be written. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSlice[];
}

/** `desired` by identity; it is used up. */
export function pack(
  existing: readonly EndpointSlice[],
  desired: Map<string, Endpoint>,
  labels: Labels,
  max: number,
  empty: () => EndpointSlice,
): SliceChanges {
  const changes: SliceChanges = { create: [], update: [], delete: [] };
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const next = refreshed(slice, desired, labels);
    if (next === slice) unchanged.push(slice);
    else if (next.endpoints?.length || next.endpoints === slice.endpoints) {
      changes.update.push(next);
    } else changes.delete.push(slice);
  }
  fillFullestFirst(changes.update, desired, max);
  while (desired.size > 0) {
    const room = roomFor(desired.size, unchanged, max);
    if (room) {
      unchanged.splice(unchanged.indexOf(room), 1);
      changes.update.push(filled(room, desired, max));
    } else changes.create.push(filled(empty(), desired, max));
  }
  return changes;
}

/** Takes away what is not desired, renews the rest; itself if all is same. */
function refreshed(
  slice: EndpointSlice,
  desired: Map<string, Endpoint>,
  labels: Labels,
): EndpointSlice {
  const old = slice.endpoints ?? [];
  let changed = false;
  const endpoints: Endpoint[] = [];
  for (const endpoint of old) {
    const identity = identityOf(endpoint);
    const wanted = desired.get(identity);
    if (!wanted) continue;
    desired.delete(identity);
    const same = sameState(wanted, endpoint);
    endpoints.push(same ? endpoint : wanted);
    if (!same) changed = true;
  }
  const metadata = { ...slice.metadata, labels };
  if (changed || endpoints.length !== old.length) {
    return { ...slice, metadata, endpoints };
  }
  return equal(slice.metadata.labels, labels) ? slice : { ...slice, metadata };
}

export function sameState(a: Endpoint, b: Endpoint): boolean {
  return (
    a.nodeName === b.nodeName &&
    a.zone === b.zone &&
    a.conditions?.ready === b.conditions?.ready &&
    a.conditions?.serving === b.conditions?.serving &&
    a.conditions?.terminating === b.conditions?.terminating &&
    a.targetRef?.uid === b.targetRef?.uid &&
    equal(a.hints, b.hints)
  );
}

function fillFullestFirst(
  slices: EndpointSlice[],
  desired: Map<string, Endpoint>,
  max: number,
): void {
  if (desired.size === 0) return;
  slices.sort(
    (a, b) => (b.endpoints?.length ?? 0) - (a.endpoints?.length ?? 0),
  );
  for (const [i, slice] of slices.entries()) {
    slices[i] = filled(slice, desired, max);
  }
}

/** `slice` with as many of `desired` as it can take. */
function filled(
  slice: EndpointSlice,
  desired: Map<string, Endpoint>,
  max: number,
): EndpointSlice {
  const endpoints = [...(slice.endpoints ?? [])];
  for (const [identity, endpoint] of desired) {
    if (endpoints.length >= max) break;
    endpoints.push(endpoint);
    desired.delete(identity);
  }
  return { ...slice, endpoints };
}

/** The fullest slice that can take all that is left. */
function roomFor(
  count: number,
  slices: readonly EndpointSlice[],
  max: number,
): EndpointSlice | undefined {
  if (count >= max) return undefined;
  let closest: EndpointSlice | undefined;
  let left = max;
  for (const slice of slices) {
    const after = max - (count + (slice.endpoints?.length ?? 0));
    if (after < 0 || after >= left) continue;
    left = after;
    closest = slice;
  }
  return closest;
}
