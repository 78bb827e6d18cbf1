/**
 * Defaults of a Pod that a template does not get.
 * Models: SetDefaults_Pod, SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go @ v1.36
 */
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  zero,
} from "../quantity.ts";
import type { Json, JsonObject } from "../types.ts";
import { at, list, mapShared, obj, str, withFields } from "./access.ts";

export function podDefaults(pod: JsonObject): JsonObject {
  const spec = obj(pod.spec);
  let next = spec;
  const containers = mapShared(next.containers, requestsFromLimits);
  const initContainers = mapShared(next.initContainers, requestsFromLimits);
  next = withFields<JsonObject>(next, { containers });
  if (initContainers !== undefined)
    next = withFields<JsonObject>(next, { initContainers });
  if (next.enableServiceLinks === undefined)
    next = { ...next, enableServiceLinks: true };
  if (next.hostNetwork) next = hostPorts(next);
  if (next.resources !== undefined) next = podRequests(next);
  return next === spec ? pod : { ...pod, spec: next };
}

/** A limit without a request is a request, too. */
function requestsFromLimits(container: JsonObject): JsonObject {
  const limits = at(container, "resources", "limits");
  if (!limits) return container;
  const before = obj(at(container, "resources", "requests"));
  let requests: { [name: string]: Json } | undefined;
  for (const name in obj(limits)) {
    if (before[name] !== undefined) continue;
    requests ??= { ...before };
    requests[name] = obj(limits)[name];
  }
  if (!requests) return container;
  return { ...container, resources: { ...obj(container.resources), requests } };
}

/** On the host's network a container's port is the host's. */
function hostPorts(spec: JsonObject): JsonObject {
  const open = (container: JsonObject): JsonObject => {
    const ports = mapShared(container.ports, (port) =>
      port.hostPort ? port : { ...port, hostPort: port.containerPort },
    );
    return ports === container.ports ? container : { ...container, ports };
  };
  const containers = mapShared(spec.containers, open);
  const initContainers = mapShared(spec.initContainers, open);
  const next = withFields<JsonObject>(spec, { containers });
  return initContainers === undefined
    ? next
    : withFields<JsonObject>(next, { initContainers });
}

/** The whole Pod asks for what its containers do together, else for its limit. */
function podRequests(spec: JsonObject): JsonObject {
  const resources = obj(spec.resources);
  const limits = obj(resources.limits);
  const requests: { [name: string]: Json } = { ...obj(resources.requests) };
  const names = new Set(Object.keys(limits));
  for (const container of allContainers(spec)) {
    for (const name in requestsOf(container)) names.add(name);
  }
  let changed = false;
  for (const name of names) {
    if (requests[name] !== undefined || !ofPods.test(name)) continue;
    const together = containersAsk(spec, name);
    const found = together === undefined ? limits[name] : together;
    if (found === undefined) continue;
    requests[name] = found;
    changed = true;
  }
  return changed ? { ...spec, resources: { ...resources, requests } } : spec;
}

/** Resources that a Pod as a whole may ask for. */
const ofPods = /^(cpu|memory|hugepages-.+)$/;

function allContainers(spec: JsonObject): readonly JsonObject[] {
  return [...list(spec.containers), ...list(spec.initContainers)];
}

function requestsOf(container: JsonObject): JsonObject {
  return obj(at(container, "resources", "requests"));
}

/** Their sum; or an init container's with the sidecars before it, if greater. */
function containersAsk(spec: JsonObject, name: string): string | undefined {
  if (!allContainers(spec).some((c) => requestsOf(c)[name] !== undefined)) {
    return undefined;
  }
  const ask = (container: JsonObject): Quantity =>
    parseQuantity(str(requestsOf(container)[name]) || "0");
  let [sidecars, greatest] = [zero, zero];
  for (const container of list(spec.initContainers)) {
    const together = addQuantities(sidecars, ask(container));
    if (container.restartPolicy === "Always") sidecars = together;
    greatest = greater(greatest, together);
  }
  const sum = list(spec.containers).map(ask).reduce(addQuantities, sidecars);
  return formatQuantity(greater(sum, greatest));
}

function greater(a: Quantity, b: Quantity): Quantity {
  return compareQuantities(a, b) < 0 ? b : a;
}
