/**
 * Requests and limits of a Pod as quantities, to the digit. Containers add
 * up; of init containers the greediest counts, sidecars before it; what is
 * set for the Pod as a whole stands instead; the runtime's overhead is on top.
 * Models: PodRequests, PodLimits of component-helpers/resource @ v1.36
 */
import type { Container, PodSpec } from "../kinds/pod.ts";
import {
  addQuantities,
  formatQuantity,
  isMore,
  parseQuantity,
} from "../quantity.ts";
import { isPodLevel } from "./pod-requests.ts";

export type Quantities = { readonly [resource: string]: string };
export type Side = "requests" | "limits";
type Spec = Pick<PodSpec, "containers" | "initContainers" | "overhead"> & {
  readonly resources?: PodSpec["resources"];
};

export function podQuantities(
  spec: Spec,
  side: Side,
  withOverhead = true,
): Quantities {
  const own = ofContainers(spec, side);
  const set = { ...own, ...podLevel(spec, side) };
  const { overhead = {} } = spec;
  if (!withOverhead) return set;
  if (side === "requests") return addedUp(set, overhead);
  // A limit that is not there is not made by the overhead.
  const limited = Object.entries(overhead).filter(([name]) => set[name]);
  return addedUp(set, Object.fromEntries(limited));
}

function ofContainers(spec: Spec, side: Side): Quantities {
  const of = ({ resources }: Container): Quantities => resources?.[side] ?? {};
  let sum: Quantities = {};
  // Defaults and rules look at what nobody has checked yet, too.
  for (const container of spec.containers ?? [])
    sum = addedUp(sum, of(container));
  let sidecars: Quantities = {};
  let greediest: Quantities = {};
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === "Always") {
      sum = addedUp(sum, of(container));
      sidecars = addedUp(sidecars, of(container));
      greediest = merged(greediest, sidecars, larger);
    } else {
      const running = addedUp(of(container), sidecars);
      greediest = merged(greediest, running, larger);
    }
  }
  return merged(sum, greediest, larger);
}

function podLevel({ resources }: Spec, side: Side): Quantities {
  const entries = Object.entries(resources?.[side] ?? {});
  return Object.fromEntries(entries.filter(([name]) => isPodLevel(name)));
}

/** Does the Pod ask for anything as a whole, or limit it? */
export function hasPodLevelResources(spec: Spec): boolean {
  const { requests, limits } = spec.resources ?? {};
  return Object.keys({ ...requests, ...limits }).some(isPodLevel);
}

export function addedUp(a: Quantities, b: Quantities): Quantities {
  return merged(a, b, plus);
}

export function plus(a: string, b: string): string {
  return formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
}

/** The larger of both, of each resource. */
export function largest(a: Quantities, b: Quantities): Quantities {
  return merged(a, b, larger);
}

function larger(a: string, b: string): string {
  return isMore(b, a) ? b : a;
}

function merged(
  a: Quantities,
  b: Quantities,
  join: (x: string, y: string) => string,
): Quantities {
  const all: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const own = a[name];
    all[name] = own === undefined ? amount : join(own, amount);
  }
  return all;
}
