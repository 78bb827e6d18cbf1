/**
 * Services and EndpointSlices as a proxy needs them: one entry for each port
 * of each Service, with the endpoints that it may send to.
 * Models:     pkg/proxy/{serviceport,endpoint,endpointschangetracker}.go @ v1.36
 * Leaves out: IPv6 addresses (a second proxy of the other family).
 */
import type { Endpoint, EndpointSlice } from "../api/kinds/endpointslice.ts";
import type { Service } from "../api/kinds/service.ts";

export interface ProxyEndpoint {
  readonly ip: string;
  readonly port: number;
  readonly isLocal: boolean;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

export interface ServicePort {
  /** `default/web:http`, or `default/web` for a port without a name. */
  readonly name: string;
  readonly namespace: string;
  readonly service: string;
  readonly portName: string;
  /** tcp, udp, sctp. */
  readonly protocol: string;
  readonly clusterIP: string;
  readonly port: number;
  /** 0 for none. */
  readonly nodePort: number;
  readonly externalIPs: readonly string[];
  /** Addresses of the load balancer that packets still carry here. */
  readonly loadBalancerIPs: readonly string[];
  readonly sourceRanges: readonly string[];
  readonly externalPolicyLocal: boolean;
  readonly internalPolicyLocal: boolean;
  /** Seconds; 0 without session affinity. */
  readonly affinitySeconds: number;
  readonly healthCheckNodePort: number;
  /** All, sorted by their text. */
  readonly endpoints: readonly ProxyEndpoint[];
}

/** Ports of one Service; none for those that no proxy serves. */
export function servicePorts(
  service: Service,
  slices: readonly EndpointSlice[],
  nodeName: string,
): ServicePort[] {
  const { spec, metadata, status } = service;
  const { clusterIP = "", type = "ClusterIP" } = spec;
  if (clusterIP === "" || clusterIP === "None" || type === "ExternalName") {
    return [];
  }
  const affinity = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const ingress = status?.loadBalancer?.ingress ?? [];
  const vips = ingress.filter(({ ip, ipMode }) => ip && ipMode !== "Proxy");
  return (spec.ports ?? []).map((port) => {
    const { name: portName = "", nodePort = 0 } = port;
    const loadBalancerIPs = vips.map(({ ip = "" }) => ip).filter(isV4);
    const externalIPs = (spec.externalIPs ?? []).filter(isV4);
    const external =
      nodePort > 0 || externalIPs.length > 0 || loadBalancerIPs.length > 0;
    const full = `${metadata.namespace}/${metadata.name}`;
    return {
      name: portName ? `${full}:${portName}` : full,
      namespace: metadata.namespace ?? "",
      service: metadata.name,
      portName,
      protocol: (port.protocol ?? "TCP").toLowerCase(),
      clusterIP,
      port: port.port,
      nodePort,
      externalIPs,
      loadBalancerIPs,
      sourceRanges: (spec.loadBalancerSourceRanges ?? []).filter(isV4),
      externalPolicyLocal: external && spec.externalTrafficPolicy === "Local",
      internalPolicyLocal: spec.internalTrafficPolicy === "Local",
      affinitySeconds:
        spec.sessionAffinity === "ClientIP" ? (affinity ?? 10_800) : 0,
      healthCheckNodePort: spec.healthCheckNodePort ?? 0,
      endpoints: endpointsOf(slices, portName, nodeName),
    };
  });
}

function isV4(text: string): boolean {
  return !text.includes(":");
}

function endpointsOf(
  slices: readonly EndpointSlice[],
  portName: string,
  nodeName: string,
): ProxyEndpoint[] {
  const found = new Map<string, ProxyEndpoint>();
  for (const slice of slices) {
    if (slice.addressType !== "IPv4") continue;
    const port = slice.ports?.find(({ name = "" }) => name === portName)?.port;
    if (port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const made = proxyEndpoint(endpoint, port, nodeName);
      if (made) found.set(endpointText(made), made);
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

function proxyEndpoint(
  { addresses, conditions, nodeName, hints }: Endpoint,
  port: number,
  ownNode: string,
): ProxyEndpoint | undefined {
  const [ip] = addresses;
  if (!ip) return undefined;
  const ready = conditions?.ready ?? true;
  return {
    ip,
    port,
    isLocal: nodeName !== undefined && nodeName === ownNode,
    ready,
    serving: conditions?.serving ?? ready,
    terminating: conditions?.terminating ?? false,
    zoneHints: hints?.forZones?.map(({ name }) => name) ?? [],
    nodeHints: hints?.forNodes?.map(({ name }) => name) ?? [],
  };
}

/** `10.244.1.5:8080` */
export function endpointText({ ip, port }: { ip: string; port: number }) {
  return `${ip}:${port}`;
}

export function isExternallyAccessible(port: ServicePort): boolean {
  const { nodePort, externalIPs, loadBalancerIPs } = port;
  return nodePort > 0 || externalIPs.length > 0 || loadBalancerIPs.length > 0;
}

/** Even with policy Local: Pods and the node itself take the short way. */
export function usesClusterEndpoints(port: ServicePort): boolean {
  return !port.internalPolicyLocal || isExternallyAccessible(port);
}

export function usesLocalEndpoints(port: ServicePort): boolean {
  return port.internalPolicyLocal || port.externalPolicyLocal;
}
