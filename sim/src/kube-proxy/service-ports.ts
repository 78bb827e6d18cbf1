/**
 * Services and EndpointSlices as a proxy needs them: one entry for each port
 * of each Service, with the endpoints that it may send to.
 * Models:     pkg/proxy/{serviceport,endpoint,endpointslicecache}.go, the
 *             informers of cmd/kube-proxy/app/server.go @ v1.36
 * Leaves out: IPv6 addresses (a second proxy of the other family).
 */
import type { Endpoint, EndpointSlice } from "../api/kinds/endpointslice.ts";
import type { Service } from "../api/kinds/service.ts";
import { formatNetwork, parseCidr, parseIp } from "../network/ip.ts";

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

/** Whose Service has this label leaves it to another proxy. */
const OTHER_PROXY = "service.kubernetes.io/service-proxy-name";

/** Ports of one Service; none for those that no proxy serves. */
export function servicePorts(
  service: Service,
  slices: readonly EndpointSlice[],
  nodeName: string,
): ServicePort[] {
  const { spec, metadata, status } = service;
  if (metadata.labels?.[OTHER_PROXY] !== undefined) return [];
  const clusterIP = clusterIPOf(spec);
  if (!clusterIP || spec.type === "ExternalName") return [];
  const affinity = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds;
  const ingress = status?.loadBalancer?.ingress ?? [];
  const vips = ingress.filter(({ ipMode = "VIP" }) => ipMode === "VIP");
  const externalPolicyLocal = isExternalPolicyLocal(spec);
  const full = `${metadata.namespace}/${metadata.name}`;
  const isBalanced = spec.type === "LoadBalancer";
  const common = {
    namespace: metadata.namespace ?? "",
    service: metadata.name,
    clusterIP,
    externalIPs: (spec.externalIPs ?? []).filter(isV4),
    loadBalancerIPs: vips.map(({ ip = "" }) => ip).filter(isV4),
    sourceRanges: (spec.loadBalancerSourceRanges ?? []).flatMap(networkOf),
    externalPolicyLocal,
    internalPolicyLocal: spec.internalTrafficPolicy === "Local",
    affinitySeconds:
      spec.sessionAffinity === "ClientIP" ? (affinity ?? 10_800) : 0,
    healthCheckNodePort:
      (isBalanced && externalPolicyLocal && spec.healthCheckNodePort) || 0,
  };
  return (spec.ports ?? []).map((port) => {
    const { name: portName = "", nodePort = 0, protocol = "TCP" } = port;
    return {
      ...common,
      name: portName ? `${full}:${portName}` : full,
      portName,
      protocol: protocol.toLowerCase(),
      port: port.port,
      nodePort,
      endpoints: endpointsOf(slices, portName, protocol, nodeName),
    };
  });
}

/** The address of our family; without families the one that there is. */
function clusterIPOf({ clusterIP, clusterIPs, ipFamilies }: Service["spec"]) {
  if (!clusterIP || clusterIP === "None") return undefined;
  const found = ipFamilies?.length
    ? clusterIPs?.[ipFamilies.indexOf("IPv4")]
    : clusterIP;
  return found && isV4(found) ? found : undefined;
}

/** The policy says nothing of a Service that nobody outside can reach. */
function isExternalPolicyLocal(spec: Service["spec"]): boolean {
  const { type = "ClusterIP", externalIPs = [], externalTrafficPolicy } = spec;
  const isReachable = type !== "ClusterIP" || externalIPs.length > 0;
  return isReachable && externalTrafficPolicy === "Local";
}

function isV4(text: string): boolean {
  return parseIp(text)?.family === 4;
}

/** Blanks around a range have always been let in; host bits count nothing. */
function networkOf(range: string): string[] {
  const cidr = parseCidr(range.trim());
  return cidr?.family === 4 ? [formatNetwork(cidr)] : [];
}

function endpointsOf(
  slices: readonly EndpointSlice[],
  portName: string,
  protocol: string,
  nodeName: string,
): ProxyEndpoint[] {
  const found = new Map<string, ProxyEndpoint>();
  for (const slice of slices) {
    if (slice.addressType !== "IPv4") continue;
    for (const port of slice.ports ?? []) {
      if (port.name !== portName || !port.port) continue;
      if ((port.protocol ?? "TCP") !== protocol) continue;
      for (const endpoint of slice.endpoints ?? []) {
        const made = proxyEndpoint(endpoint, port.port, nodeName);
        if (!made) continue;
        const text = endpointText(made);
        // Two Pods may share an address while the older one still ends.
        if (!found.has(text) || !made.terminating) found.set(text, made);
      }
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
  return {
    ip,
    port,
    isLocal: nodeName !== undefined && nodeName === ownNode,
    ready: conditions?.ready ?? true,
    serving: conditions?.serving ?? true,
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
  const { internalPolicyLocal, externalPolicyLocal } = port;
  if (internalPolicyLocal) return true;
  return externalPolicyLocal && isExternallyAccessible(port);
}
