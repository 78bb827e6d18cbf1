/**
 * Requests and limits of a Pod as quantities: a container's, or the Pod's
 * whole (containers added up, or the greediest init container).
 * Models: PodRequestsAndLimits of component-helpers/resource @ v1.36
 */
import { list, map, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from "../../../api/quantity.ts";
import type { JsonObject, KubeObject } from "../../../api/types.ts";

export type ResourceMap = { readonly [resource: string]: string };

export interface Amounts {
  readonly requests: ResourceMap;
  readonly limits: ResourceMap;
}

export function containerAmounts(container: JsonObject): Amounts {
  const { requests, limits } = obj(container.resources);
  return { requests: map(requests), limits: map(limits) };
}

/** Of the whole Pod. */
export function podAmounts(spec: JsonObject): Amounts {
  return { requests: total(spec, "requests"), limits: total(spec, "limits") };
}

function total(spec: JsonObject, what: keyof Amounts): ResourceMap {
  let sum: ResourceMap = {};
  for (const container of list(spec.containers)) {
    sum = added(sum, containerAmounts(container)[what]);
  }
  let sidecars: ResourceMap = {};
  let greediest: ResourceMap = {};
  for (const container of list(spec.initContainers)) {
    const own = containerAmounts(container)[what];
    if (str(container.restartPolicy) === "Always") {
      sum = added(sum, own);
      sidecars = added(sidecars, own);
      greediest = greater(greediest, sidecars);
    } else greediest = greater(greediest, added(own, sidecars));
  }
  const whole = greater(sum, greediest);
  const overhead = map(spec.overhead);
  if (what === "requests") return added(whole, overhead);
  const limited = Object.keys(overhead).filter((name) => whole[name]);
  return added(
    whole,
    Object.fromEntries(limited.map((n) => [n, overhead[n]!])),
  );
}

export function added(a: ResourceMap, b: ResourceMap): ResourceMap {
  const sum: Record<string, string> = { ...a };
  for (const name in b) {
    sum[name] = sum[name] === undefined ? b[name]! : plus(sum[name], b[name]!);
  }
  return sum;
}

function greater(a: ResourceMap, b: ResourceMap): ResourceMap {
  const most: Record<string, string> = { ...a };
  for (const name in b) {
    if (most[name] === undefined || isMore(b[name]!, most[name])) {
      most[name] = b[name]!;
    }
  }
  return most;
}

export function plus(a: string, b: string): string {
  return formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
}

/** True if `a` is more than `b`. */
export function isMore(a: string, b: string): boolean {
  return compareQuantities(parseQuantity(a), parseQuantity(b)) > 0;
}

export function specOf(object: KubeObject): JsonObject {
  return obj((object as Obj).spec);
}
