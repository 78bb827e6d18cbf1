/**
 * What the server does to a Service between admission and storage.
 * Models: pkg/registry/core/service/{strategy,storage/alloc}.go @ v1.36
 */
import type { Json, JsonObject } from "../types.ts";
import { at, list, num, obj, same, strings } from "./access.ts";
import type { Obj } from "./definition.ts";

/** `clusterIP` and `clusterIPs[0]` are two names of one thing. */
export function singleClusterIp(service: Obj, old?: Obj): Obj {
  const spec = obj(service.spec);
  const { clusterIP } = spec;
  const all = strings(spec.clusterIPs);
  if (!old) {
    if (clusterIP && all.length === 0)
      return withSpec(service, { clusterIPs: [clusterIP] });
    if (all.length > 0 && !clusterIP) return service;
    return service;
  }
  const before = obj(old.spec);
  const sameOne = clusterIP === before.clusterIP;
  const sameAll = same(spec.clusterIPs, before.clusterIPs);
  if (!sameOne && sameAll) {
    return withSpec(service, {
      clusterIPs: clusterIP ? [clusterIP, ...all.slice(1)] : undefined,
    });
  }
  if (sameOne && !sameAll && all.length === 0)
    return withSpec(service, { clusterIP: undefined });
  return service;
}

/** A change of type drops, unless the client set them anew, what no longer applies. */
export function dropUnusedFields(service: Obj, old: Obj): Obj {
  const [spec, before] = [obj(service.spec), obj(old.spec)];
  const gone: { [field: string]: Json } = {};
  if (
    hasClusterIp(before) &&
    !hasClusterIp(spec) &&
    same(spec.clusterIPs, before.clusterIPs)
  ) {
    gone.clusterIP =
      gone.clusterIPs =
      gone.ipFamilies =
      gone.ipFamilyPolicy =
        undefined;
  }
  if (
    mayHaveNodePorts(before) &&
    !mayHaveNodePorts(spec) &&
    sameNodePorts(spec, before)
  ) {
    gone.ports = list(spec.ports).map(({ nodePort: _, ...port }) => port);
  }
  const localNow = needsHealthCheck(spec);
  if (needsHealthCheck(before) && !localNow) {
    if (spec.healthCheckNodePort === before.healthCheckNodePort) {
      gone.healthCheckNodePort = undefined;
    }
  }
  dropOutside(spec, before, gone);
  return Object.keys(gone).length > 0 ? withSpec(service, gone) : service;
}

/** What only services reached from outside have. */
function dropOutside(
  spec: JsonObject,
  before: JsonObject,
  gone: { [field: string]: Json },
): void {
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    for (const field of [
      "allocateLoadBalancerNodePorts",
      "loadBalancerClass",
    ]) {
      if (same(spec[field], before[field])) gone[field] = undefined;
    }
  }
  const external =
    mayHaveNodePorts(spec) || strings(spec.externalIPs).length > 0;
  if (
    !external &&
    spec.externalTrafficPolicy === before.externalTrafficPolicy
  ) {
    gone.externalTrafficPolicy = undefined;
  }
}

export function hasClusterIp({ type }: JsonObject): boolean {
  return type !== "ExternalName";
}

export function mayHaveNodePorts({ type }: JsonObject): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

export function needsHealthCheck(spec: JsonObject): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

function sameNodePorts(spec: JsonObject, before: JsonObject): boolean {
  const used = new Set(list(before.ports).map((port) => num(port.nodePort)));
  return list(spec.ports).every(
    (port) => !port.nodePort || used.has(num(port.nodePort)),
  );
}

/** Fields set to undefined are taken out. */
function withSpec(service: Obj, fields: JsonObject): Obj {
  const merged = Object.entries({ ...obj(at(service, "spec")), ...fields });
  return {
    ...service,
    spec: Object.fromEntries(merged.filter(([, v]) => v !== undefined)),
  };
}
