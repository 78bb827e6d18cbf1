/**
 * One Pod as an endpoint, and slices without endpoints yet.
 * Models: staging/src/k8s.io/endpointslice/utils.go @ v1.36
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Node } from "../../api/kinds/node.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import { Service } from "../../api/kinds/service.ts";
import type {
  DiscoveryEndpointPort,
  Endpoint,
} from "../../api/kinds/types/network.ts";
import type { Labels } from "../../api/types.ts";
import { controllerRef } from "../shared/owners.ts";
import { isReady } from "../shared/pods.ts";
import { addressesOf, targetPortOf } from "../shared/services.ts";

export const SERVICE_NAME = "kubernetes.io/service-name";
export const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
export const MANAGER = "endpointslice-controller.k8s.io";
const HEADLESS = "service.kubernetes.io/headless";
const ZONE = "topology.kubernetes.io/zone";

// region: endpoint
/** A terminating Pod may still serve, but gets nothing new. */
export function endpointOf(
  pod: Pod,
  node: Node | undefined,
  service: Service,
  addressType: string,
): Endpoint {
  const serving = isReady(pod);
  const terminating = !!pod.metadata.deletionTimestamp;
  const always = service.spec.publishNotReadyAddresses ?? false;
  const ready = always || (serving && !terminating);
  const { name, namespace, uid } = pod.metadata;
  return {
    addresses: addressesOf(pod, addressType),
    conditions: { ready, serving, terminating },
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(pod.spec.nodeName && { nodeName: pod.spec.nodeName }),
    ...(node?.metadata.labels?.[ZONE] && { zone: node.metadata.labels[ZONE] }),
    ...(hasHostname(pod, service) && { hostname: pod.spec.hostname }),
  };
}
// endregion: endpoint

function hasHostname(pod: Pod, service: Service): boolean {
  const { hostname, subdomain } = pod.spec;
  return !!hostname && subdomain === service.metadata.name;
}

/** The same Pod under the same address, whatever its state. */
export function identityOf(endpoint: Endpoint): string {
  const { addresses, hostname = "", targetRef } = endpoint;
  const about = `${targetRef?.namespace}/${targetRef?.name}`;
  return `${addresses.toSorted().join()} ${hostname} ${about}`;
}

export function portsOf(service: Service, pod: Pod): DiscoveryEndpointPort[] {
  const ports: DiscoveryEndpointPort[] = [];
  for (const port of service.spec.ports ?? []) {
    const number = targetPortOf(pod, port);
    if (number === undefined) continue;
    const { name = "", protocol = "TCP", appProtocol } = port;
    const made = { name, port: number, protocol };
    ports.push(appProtocol ? { ...made, appProtocol } : made);
  }
  return ports;
}

/** Equal for slices that can share endpoints. */
export function portsKey(ports: readonly DiscoveryEndpointPort[] = []): string {
  return ports
    .map(({ name = "", port, protocol = "TCP", appProtocol = "" }) =>
      [name, port, protocol, appProtocol].join(),
    )
    .toSorted()
    .join(";");
}

/** The Service's own labels and those that say whose the slice is. */
export function labelsOf(service: Service): Labels {
  const labels: Record<string, string> = { ...service.metadata.labels };
  delete labels[HEADLESS];
  const { clusterIP } = service.spec;
  if (!clusterIP || clusterIP === "None") labels[HEADLESS] = "";
  return {
    ...labels,
    [SERVICE_NAME]: service.metadata.name,
    [MANAGED_BY]: MANAGER,
  };
}

export function newSlice(
  service: Service,
  addressType: string,
  ports: readonly DiscoveryEndpointPort[],
  endpoints: readonly Endpoint[],
): EndpointSlice {
  const { name, namespace } = service.metadata;
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "",
      generateName: `${name}-`,
      namespace,
      labels: labelsOf(service),
      ownerReferences: [controllerRef(Service, service)],
    },
    addressType,
    endpoints,
    ports,
  };
}
