/**
 * Hints by share of CPU: with the annotation `topology-mode: Auto` each zone
 * gets as many endpoints as its nodes have CPU, from other zones if need be,
 * or no endpoint has a hint at all.
 * Models: staging/src/k8s.io/endpointslice/topologycache @ v1.36
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Node } from "../../api/kinds/node.ts";
import { milliCpu } from "../../api/quantity.ts";
import { compareText } from "../shared/by-age.ts";
import {
  type Allocations,
  isReady,
  redistribute,
  type Slices,
} from "./redistribute.ts";

export interface HintEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** By so much an endpoint may have more to do than the mean. */
const OVERLOAD = 0.2;
const ZONE = "topology.kubernetes.io/zone";
const EXCLUDED = ["control-plane", "master"].map(
  (role) => `node-role.kubernetes.io/${role}`,
);

export class TopologyCache {
  /** Of all CPU, by zone; undefined: not known, or of one zone only. */
  private ratios: ReadonlyMap<string, number> | undefined;
  private isStale = true;
  /** Endpoints by zone, by Service and family. */
  private readonly hinted = new Map<string, Map<string, Map<string, number>>>();
  private readonly nodes: () => readonly Node[];

  constructor(nodes: () => readonly Node[]) {
    this.nodes = nodes;
  }

  /** Nodes have changed; the Services that have too few somewhere now. */
  nodesChanged(): string[] {
    this.isStale = true;
    if (this.hinted.size === 0) return [];
    const ratios = this.ratiosNow();
    const isOverloaded = (counts: ReadonlyMap<string, number>) =>
      counts.size > 0 && hasTooFew(counts, ratios);
    return [...this.hinted]
      .filter(([, families]) => [...families.values()].some(isOverloaded))
      .map(([service]) => service);
  }

  private ratiosNow(): ReadonlyMap<string, number> | undefined {
    if (this.isStale) this.ratios = ratiosOf(this.nodes());
    this.isStale = false;
    return this.ratios;
  }

  // region: add-hints
  /** Sets hints in what is written, and writes more if it must. */
  addHints(service: string, family: string, slices: Slices): HintEvent[] {
    const { create, update, unchanged } = slices;
    const all = [...create, ...update, ...unchanged];
    const ready = all
      .flatMap(({ endpoints = [] }) => endpoints)
      .filter(isReady);
    const allocations = allocationsFor(ready.length, this.ratiosNow());
    const noZone = "One or more endpoints do not have a zone specified";
    const problem = typeof allocations === "string" ? allocations : "";
    if (typeof allocations === "string" || !ready.every(({ zone }) => zone)) {
      this.removeHints(service, family);
      removeAll(slices);
      return [disabled(problem || noZone, family)];
    }
    const wasEnabled = this.hinted.has(service);
    const families = this.hinted.get(service) ?? new Map();
    this.hinted.set(service, families);
    families.set(family, redistribute(slices, allocations));
    if (wasEnabled) return [];
    const message = `Topology Aware Hints has been enabled, addressType: ${family}`;
    return [{ type: "Normal", reason: "TopologyAwareHintsEnabled", message }];
  }
  // endregion: add-hints

  /** The Service does not want them: tells so if it had some. */
  unwanted(service: string, family: string): HintEvent[] {
    if (!this.hinted.has(service)) return [];
    this.removeHints(service, family);
    return [disabled("Topology Aware Hints has been disabled", family)];
  }

  private removeHints(service: string, family: string): void {
    const families = this.hinted.get(service);
    families?.delete(family);
    if (families?.size === 0) this.hinted.delete(service);
  }

  forget(service: string): void {
    this.hinted.delete(service);
  }
}

/** What the nodes have is compared anew when one of these changes. */
export function placeOf({ metadata, status }: Node): string {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return `${ready?.status === "True"} ${metadata.labels?.[ZONE] ?? ""}`;
}

function disabled(message: string, family: string): HintEvent {
  const reason = "TopologyAwareHintsDisabled";
  const text = `${message}, addressType: ${family}`;
  return { type: "Warning", reason, message: text };
}

function ratiosOf(nodes: readonly Node[]) {
  const byZone = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    const { labels = {} } = node.metadata;
    if (EXCLUDED.some((label) => label in labels)) continue;
    if (!placeOf(node).startsWith("true")) continue;
    const cpu = milliCpu(node.status?.allocatable?.cpu);
    const zone = labels[ZONE];
    // One node that nobody can place spoils it for all.
    if (!zone || cpu === 0) return undefined;
    byZone.set(zone, (byZone.get(zone) ?? 0) + cpu);
    total += cpu;
  }
  if (byZone.size < 2) return undefined;
  const sorted = [...byZone].toSorted(([a], [b]) => compareText(a, b));
  return new Map(sorted.map(([zone, cpu]) => [zone, cpu / total]));
}

/** Or why there are none. */
function allocationsFor(
  endpoints: number,
  ratios: ReadonlyMap<string, number> | undefined,
): Allocations | string {
  if (!ratios) {
    return "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
  }
  const counts = `(${endpoints} endpoints, ${ratios.size} zones)`;
  if (ratios.size > endpoints) {
    return `Insufficient number of endpoints ${counts}`;
  }
  const least = [...ratios].map(([zone, ratio]) => {
    const share = ratio * endpoints;
    const minimum = Math.ceil(share * (1 / (1 + OVERLOAD)));
    return { zone, minimum, desired: Math.max(share, minimum) };
  });
  const total = least.reduce((sum, { minimum }) => sum + minimum, 0);
  if (total > endpoints) {
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`;
  }
  return new Map(
    least.map(({ zone, minimum, desired }) => {
      const maximum = minimum + endpoints - total;
      return [zone, { minimum, maximum, desired }];
    }),
  );
}

function hasTooFew(
  counts: ReadonlyMap<string, number>,
  ratios: ReadonlyMap<string, number> | undefined,
): boolean {
  if (!ratios) return true;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...ratios].some(([zone, ratio]) => {
    const minimum = Math.ceil(total * ratio * (1 / (1 + OVERLOAD)));
    const has = counts.get(zone);
    return has === undefined || has < minimum;
  });
}

function removeAll({ create, update, unchanged }: Slices): void {
  for (const list of [create, update]) {
    for (const [i, slice] of list.entries()) list[i] = withoutHints(slice);
  }
  update.push(...unchanged.filter(hasHints).map(withoutHints));
}

function hasHints({ endpoints = [] }: EndpointSlice): boolean {
  return endpoints.some(({ hints }) => hints !== undefined);
}

function withoutHints(slice: EndpointSlice): EndpointSlice {
  const endpoints = slice.endpoints?.map(({ hints: _, ...rest }) => rest);
  return { ...slice, endpoints };
}
