/**
 * Endpoints: the addresses behind a Service, as they were listed before EndpointSlices.
 * Models: pkg/registry/core/endpoint/strategy.go @ v1.36
 */
import { age, columns, some } from "../table.ts";
import { list, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { endpointsErrors } from "./endpoints-validation.ts";
import type * as types from "./types/service.ts";

export type Endpoints = types.Endpoints;

export const Endpoints: Kind<Endpoints> = defineKind<Endpoints>({
  kind: "Endpoints",
  validate: endpointsErrors,
  updateOrder: ["metaChange", "meta", "rules"],
  resource: "endpoints",
  shortNames: ["ep"],
  allowCreateOnUpdate: true,
  deprecation:
    "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  columns: columns("Name|Endpoints|Age"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      // Subsets without a ready address leave the cell empty.
      list(object.subsets).length === 0
        ? "<none>"
        : some(addresses(object), 3, ""),
      age(object, now),
    ],
  }),
});

function addresses(object: Obj): readonly string[] {
  return list(object.subsets).flatMap((subset) => {
    const ips = list(subset.addresses).map((address) => str(address.ip));
    const ports = list(subset.ports);
    if (ports.length === 0) return ips;
    return ports.flatMap(({ port }) =>
      ips.map((ip) => hostPort(ip, `${port}`)),
    );
  });
}

/** IPv6 addresses stand in brackets. */
export function hostPort(ip: string, port: string): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
