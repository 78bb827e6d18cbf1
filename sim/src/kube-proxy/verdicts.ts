/**
 * What all modes decide alike about a port: where packets to each kind of its
 * addresses go, or how they are turned away.
 * Models: pkg/proxy/iptables/proxier.go syncProxyRules @ v1.36
 */
import { inCidr } from "../network/ip.ts";
import type { ProxyConfig } from "./config.ts";
import {
  isExternallyAccessible,
  type ServicePort,
  usesClusterEndpoints,
  usesLocalEndpoints,
} from "./service-ports.ts";
import { type Categorized, categorizeEndpoints } from "./topology.ts";

export interface PortPlan extends Categorized {
  readonly port: ServicePort;
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesClusterChain: boolean;
  readonly usesLocalChain: boolean;
  readonly usesExternalChain: boolean;
  readonly usesFirewall: boolean;
  /** The load balancer's own ranges include this node. */
  readonly allowsFromNode: boolean;
  /** Why packets are turned away: no endpoint at all, or none here. */
  readonly internalRefusal: Refusal;
  readonly externalRefusal: Refusal;
}

/** reject: the client hears of it at once. drop: it waits in vain. */
export interface Refusal {
  readonly action: "reject" | "drop";
  readonly comment: string;
}

export function planOf(port: ServicePort, config: ProxyConfig): PortPlan {
  const place = { node: config.nodeName, zone: config.zone };
  const found = categorizeEndpoints(port, place);
  const { local, hasAny } = found;
  const missesLocal = local.length === 0;
  const refusal: Refusal = hasAny
    ? { action: "drop", comment: `${port.name} has no local endpoints` }
    : { action: "reject", comment: `${port.name} has no endpoints` };
  const { loadBalancerIPs, sourceRanges } = port;
  const firewalled = loadBalancerIPs.length > 0 && sourceRanges.length > 0;
  return {
    ...found,
    port,
    hasInternal: hasAny && !(port.internalPolicyLocal && missesLocal),
    hasExternal: hasAny && !(port.externalPolicyLocal && missesLocal),
    usesClusterChain: found.cluster.length > 0 && usesClusterEndpoints(port),
    usesLocalChain: !missesLocal && usesLocalEndpoints(port),
    usesExternalChain: hasAny && isExternallyAccessible(port),
    usesFirewall: hasAny && firewalled,
    allowsFromNode: sourceRanges.some((range) =>
      config.nodeIPs.some((ip) => inCidr(ip, range)),
    ),
    internalRefusal: refusal,
    externalRefusal: refusal,
  };
}
