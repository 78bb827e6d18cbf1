/**
 * EndpointSlice: up to a hundred addresses behind a Service.
 * Models: pkg/registry/discovery/endpointslice/strategy.go, pkg/apis/discovery @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { age, columns, some } from "../table.ts";
import { list, same, str, strings } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
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
  generationOf: ["endpoints", "ports", "addressType"],
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
  validate,
  validateChange: (slice, old) =>
    same(slice.addressType, old.addressType)
      ? []
      : [invalid("addressType", slice.addressType, "field is immutable")],
});

function validate(slice: Obj): FieldError[] {
  const errors: FieldError[] = [];
  const types = ["FQDN", "IPv4", "IPv6"];
  const type = str(slice.addressType);
  if (!type) errors.push(required("addressType"));
  else if (!types.includes(type))
    errors.push(notSupported("addressType", type, types));
  for (const [i, endpoint] of list(slice.endpoints).entries()) {
    if (strings(endpoint.addresses).length === 0) {
      errors.push(
        required(
          `endpoints[${i}].addresses`,
          "must contain at least 1 address",
        ),
      );
    }
  }
  const protocols = ["SCTP", "TCP", "UDP"];
  for (const [i, port] of list(slice.ports).entries()) {
    const protocol = str(port.protocol);
    if (!protocols.includes(protocol)) {
      errors.push(notSupported(`ports[${i}].protocol`, protocol, protocols));
    }
  }
  return errors;
}
