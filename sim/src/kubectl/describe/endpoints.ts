/**
 * kubectl describe of where a Service leads: EndpointSlice, Endpoints.
 * Models:     kubectl/pkg/describe/describe.go (describeEndpointSliceV1,
 *             describeEndpoints) @ v1.36
 */
import { at, list, obj, str, strings } from "../../api/kinds/access.ts";
import type { Json } from "../../api/types.ts";
import {
  type Describer,
  type Subject,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";

export const describeEndpointSlice: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  w.field(0, "AddressType", str(object.addressType));
  const ports = list(object.ports);
  w.line(0, ports.length === 0 ? "Ports: <unset>" : "Ports:");
  writePorts(subject, ports, 1);
  const endpoints = list(object.endpoints);
  w.line(0, endpoints.length === 0 ? "Endpoints: <none>" : "Endpoints:");
  for (const endpoint of endpoints) {
    const addresses = strings(endpoint.addresses).join(", ");
    w.line(1, `- Addresses:\t${addresses || "<none>"}`);
    w.line(2, "Conditions:");
    w.field(3, "Ready", set(at(endpoint.conditions, "ready")));
    w.field(2, "Hostname", set(endpoint.hostname));
    const { kind, name } = obj(endpoint.targetRef);
    if (endpoint.targetRef) w.field(2, "TargetRef", `${kind}/${name}`);
    w.field(2, "NodeName", set(endpoint.nodeName));
    w.field(2, "Zone", set(endpoint.zone));
  }
  await writeEventsOf(subject);
};

function set(value: Json): string {
  return value === undefined || value === null ? "<unset>" : String(value);
}

function writePorts(
  { w }: Subject,
  ports: ReturnType<typeof list>,
  level: number,
): void {
  if (ports.length === 0) return;
  w.line(level, "Name\tPort\tProtocol");
  w.line(level, "----\t----\t--------");
  for (const { name, port, protocol } of ports)
    w.line(level, `${str(name) || "<unset>"}\t${set(port)}\t${protocol}`);
}

export const describeEndpoints: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  w.line(0, "Subsets:");
  for (const { addresses, notReadyAddresses, ports } of list(object.subsets)) {
    const ips = (all: Json) => list(all).map(({ ip }) => str(ip));
    w.field(1, "Addresses", ips(addresses).join(",") || "<none>");
    w.field(
      1,
      "NotReadyAddresses",
      ips(notReadyAddresses).join(",") || "<none>",
    );
    if (list(ports).length > 0) w.line(1, "Ports:");
    writePorts(subject, list(ports), 2);
    w.line(0, "");
  }
  await writeEventsOf(subject);
};
