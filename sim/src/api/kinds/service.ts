/**
 * Service: one address for a set of Pods.
 * Models: pkg/registry/core/service/strategy.go, pkg/apis/core/v1/defaults.go @ v1.36
 */
import { dns1123Label } from "../names.ts";
import { age, columns } from "../table.ts";
import type { Json, JsonObject } from "../types.ts";
import {
  at,
  list,
  mapShared,
  obj,
  same,
  str,
  strings,
  withFields,
} from "./access.ts";
import { labelsText } from "./cells.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { dropUnusedFields, singleClusterIp } from "./service-strategy.ts";
import { serviceChange, serviceErrors } from "./service-validation.ts";
import type * as types from "./types/service.ts";

export type {
  LoadBalancerIngress,
  LoadBalancerStatus,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
} from "./types/service.ts";
export type Service = types.Service;

export const Service: Kind<Service> = defineKind<Service>({
  kind: "Service",
  shortNames: ["svc"],
  categories: ["all"],
  subresources: [
    {
      name: "proxy",
      verbs: ["create", "delete", "get", "patch", "update"],
      kind: "ServiceProxyOptions",
    },
    statusSubresource,
  ],
  hooks: { ServiceSpec: serviceDefaults, Service: ipModeDefaults },
  emptyStatus: { loadBalancer: {} },
  allowCreateOnUpdate: true,
  selectable: {
    "spec.clusterIP": (service) => str(at(service, "spec", "clusterIP")),
    "spec.type": (service) => str(at(service, "spec", "type")),
  },
  // Since 1.36 it may begin with a digit, too.
  nameRule: dns1123Label,
  columns: columns("Name|Type|Cluster-IP|External-IP|Port(s)|Age|Selector+"),
  row: (service, now) => {
    const spec = obj(service.spec);
    return {
      cells: [
        service.metadata.name,
        str(spec.type),
        strings(spec.clusterIPs)[0] ?? "<none>",
        externalIp(spec, obj(service.status)),
        portsText(spec) || "<none>",
        age(service, now),
        labelsText(spec.selector),
      ],
    };
  },
  validate: serviceErrors,
  validateChange: serviceChange,
  updateOrder: ["metaChange", "change", "meta", "rules"],
  onCreate: singleClusterIp,
  onUpdate: (service: Obj, old: Obj) =>
    dropUnusedFields(singleClusterIp(service, old), old),
});

function serviceDefaults(spec: JsonObject): JsonObject {
  const next: { [field: string]: Json } = { ...spec };
  const { type } = spec;
  const { timeoutSeconds = 10800 } = obj(
    at(spec, "sessionAffinityConfig", "clientIP"),
  );
  if (spec.sessionAffinity === "None") delete next.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP") {
    next.sessionAffinityConfig = { clientIP: { timeoutSeconds } };
  }
  const outside = type === "NodePort" || type === "LoadBalancer";
  if (
    outside ||
    (type === "ClusterIP" && strings(spec.externalIPs).length > 0)
  ) {
    next.externalTrafficPolicy ??= "Cluster";
  }
  if (outside || type === "ClusterIP") next.internalTrafficPolicy ??= "Cluster";
  if (type === "LoadBalancer") next.allocateLoadBalancerNodePorts ??= true;
  if (next.ports !== undefined) {
    next.ports = mapShared(next.ports, (port) =>
      port.targetPort
        ? port
        : withFields<JsonObject>(port, { targetPort: port.port }),
    );
  }
  return same(next, spec) ? spec : next;
}

/** An address of a load balancer is reached at the address itself. */
function ipModeDefaults(service: JsonObject): JsonObject {
  const ingress = at(service, "status", "loadBalancer", "ingress");
  if (at(service, "spec", "type") !== "LoadBalancer" || !ingress)
    return service;
  const next = mapShared(ingress, (item) =>
    item.ip && item.ipMode === undefined ? { ...item, ipMode: "VIP" } : item,
  );
  if (next === ingress) return service;
  const status = obj(service.status);
  return {
    ...service,
    status: {
      ...status,
      loadBalancer: { ...obj(status.loadBalancer), ingress: next },
    },
  };
}

function externalIp(spec: JsonObject, status: JsonObject): string {
  const extra = strings(spec.externalIPs);
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return extra.join(",") || "<none>";
    case "LoadBalancer":
      return (
        [...loadBalancerAddresses(status.loadBalancer), ...extra].join(",") ||
        "<pending>"
      );
    case "ExternalName":
      return str(spec.externalName);
    default:
      return "<unknown>";
  }
}

/** Addresses of a load balancer's ingress, each once, in order. */
export function loadBalancerAddresses(
  loadBalancer: unknown,
): readonly string[] {
  const found = list(obj(loadBalancer).ingress).map(
    (item) => str(item.ip) || str(item.hostname),
  );
  return [...new Set(found.filter(Boolean))].toSorted();
}

function portsText(spec: JsonObject): string {
  const texts = list(spec.ports).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return texts.join(",");
}
