/**
 * kubectl describe service.
 * Models:     kubectl/pkg/describe/describe.go (ServiceDescriber) @ v1.36
 */
import { at, list, num, str, strings } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { JsonObject } from "../../api/types.ts";
import { itemsOf } from "../objects.ts";
import {
  type Describer,
  pairs,
  type Subject,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";

/** Endpoints that are shown one by one. */
const ENDPOINTS_MAX = 3;

export const describeService: Describer = async (subject) => {
  const { w, spec, object } = subject;
  const slices = await slicesOf(subject, object.metadata.name);
  writeName(subject);
  writeLabelsOf(subject);
  w.field(0, "Selector", pairs(spec.selector));
  w.field(0, "Type", str(spec.type));
  writeAddresses(subject);
  for (const port of list(spec.ports)) writePort(subject, port, slices);
  w.field(0, "Session Affinity", str(spec.sessionAffinity));
  for (const [title, field] of [
    ["External Traffic Policy", "externalTrafficPolicy"],
    ["Internal Traffic Policy", "internalTrafficPolicy"],
    ["HealthCheck NodePort", "healthCheckNodePort"],
  ] as const) {
    if (spec[field]) w.field(0, title, spec[field]);
  }
  const ranges = strings(spec.loadBalancerSourceRanges);
  if (ranges.length > 0)
    w.field(0, "LoadBalancer Source Ranges", ranges.join(","));
  await writeEventsOf(subject);
};

function writeAddresses({ w, spec, status }: Subject): void {
  const policy = str(spec.ipFamilyPolicy);
  if (policy) w.field(0, "IP Family Policy", policy);
  const families = strings(spec.ipFamilies);
  w.field(0, "IP Families", families.join(",") || "<none>");
  w.field(0, "IP", str(spec.clusterIP));
  w.field(0, "IPs", strings(spec.clusterIPs).join(",") || "<none>");
  const external = strings(spec.externalIPs);
  if (external.length > 0) w.field(0, "External IPs", external.join(","));
  if (spec.externalName) w.field(0, "External Name", spec.externalName);
  if (spec.loadBalancerIP)
    w.field(0, "Desired LoadBalancer IP", spec.loadBalancerIP);
  const balancers = list(at(status.loadBalancer, "ingress")).map(
    ({ ip, hostname, ipMode }) => {
      const mode = ipMode ? ` (${ipMode})` : "";
      return `${ip ?? hostname ?? ""}${ip ? mode : ""}`;
    },
  );
  if (balancers.length > 0)
    w.field(0, "LoadBalancer Ingress", balancers.join(", "));
}

function writePort(
  { w }: Subject,
  port: JsonObject,
  slices: readonly Obj[],
): void {
  const name = str(port.name) || "<unset>";
  const { protocol } = port;
  w.line(0, `Port:\t${name}\t${port.port}/${protocol}`);
  w.field(0, "TargetPort", `${port.targetPort}/${protocol}`);
  if (num(port.nodePort) !== 0)
    w.line(0, `NodePort:\t${name}\t${port.nodePort}/${protocol}`);
  w.field(0, "Endpoints", endpointsText(slices, str(port.name)));
}

/** The slices of a Service in the subject's namespace. */
export async function slicesOf(
  { env, object }: Subject,
  service: string,
): Promise<readonly Obj[]> {
  const { namespace = "" } = object.metadata;
  const labelSelector = `kubernetes.io/service-name=${service}`;
  const options = { labelSelector };
  return itemsOf(await env.client.list(EndpointSlice, namespace, options));
}

/** `10.0.0.1:80,10.0.0.2:80 + 2 more...`: those that are ready. */
export function endpointsText(
  slices: readonly Obj[],
  portName: string,
): string {
  if (slices.length === 0) return "<none>";
  const found: string[] = [];
  for (const slice of slices) {
    const ready = list(slice.endpoints).filter(
      ({ conditions }) => at(conditions, "ready") !== false,
    );
    const addresses = ready.map((one) => strings(one.addresses)[0] ?? "");
    const ports = list(slice.ports);
    if (ports.length === 0) found.push(...addresses);
    for (const { name, port } of ports) {
      if (str(name) !== portName) continue;
      for (const address of addresses) found.push(`${host(address)}:${port}`);
    }
  }
  const shown = found.slice(0, ENDPOINTS_MAX).join(",");
  const more = found.length - ENDPOINTS_MAX;
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

function host(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
