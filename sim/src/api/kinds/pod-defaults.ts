/**
 * Defaults of a Pod that a template does not get.
 * Models: SetDefaults_Pod, SetDefaults_PodSpec in pkg/apis/core/v1/defaults.go @ v1.36
 */
import type { Json, JsonObject } from "../types.ts";
import { at, mapShared, obj, withFields } from "./access.ts";
import { podLevelDefaults } from "./pod-level-defaults.ts";

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
  if (next.resources !== undefined) next = podLevelDefaults(next);
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
