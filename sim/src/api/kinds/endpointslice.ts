/**
 * EndpointSlice: up to a hundred addresses behind a Service.
 * Models: pkg/registry/discovery/endpointslice/strategy.go, pkg/apis/discovery @ v1.36
 */
import { invalid } from "../field-error.ts";
import { age, columns, some } from "../table.ts";
import { list, same, str, strings } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { sliceErrors } from "./endpointslice-validation.ts";
import type * as types from "./types/network.ts";

export type {
  DiscoveryEndpointPort,
  Endpoint,
  EndpointConditions,
  EndpointHints,
} from "./types/network.ts";
export type EndpointSlice = types.EndpointSlice;

export const EndpointSlice: Kind<EndpointSlice> = defineKind<EndpointSlice>({
  group: "discovery.k8s.io",
  kind: "EndpointSlice",
  generationOf: ["endpoints", "ports", "addressType", "labels"],
  columns: columns("Name|AddressType|Ports|Endpoints|Age"),
  row: (slice, now) => {
    const ports = list(slice.ports).map((p) => `${p.port ?? p.name ?? "*"}`);
    const addresses = list(slice.endpoints).flatMap((item) =>
      strings(item.addresses),
    );
    return {
      cells: [
        slice.metadata.name,
        str(slice.addressType),
        some(ports, 3, "<unset>"),
        some(addresses, 3, "<unset>"),
        age(slice, now),
      ],
    };
  },
  validate: sliceErrors,
  updateOrder: ["meta", "rules", "change"],
  validateChange: (slice, old) =>
    same(slice.addressType, old.addressType)
      ? []
      : [invalid("addressType", slice.addressType, "field is immutable")],
});
