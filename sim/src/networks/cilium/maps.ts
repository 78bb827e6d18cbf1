/**
 * What the agent puts into the maps: Services with their backends, and a
 * verdict for each Pod, direction and peer.
 * Models: cilium pkg/loadbalancer, pkg/policy
 */
import type { EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Service } from "../../api/kinds/service.ts";
import type { PolicyMap } from "../../network/cilium.ts";
import { inCidr } from "../../network/ip.ts";
import {
  addressOf,
  type PolicyPeer,
  type PolicyRule,
  type PolicyWorld,
  policiesOf,
  rulesOf,
} from "../policy.ts";

type Services = Map<string, readonly { ip: string; port: number }[]>;

// region: services
export function servicesMap(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
): Services {
  const map: Services = new Map();
  for (const { metadata, spec, status } of services) {
    const { clusterIP = "", externalIPs = [] } = spec;
    if (!clusterIP || clusterIP === "None") continue;
    const ingress = status?.loadBalancer?.ingress ?? [];
    const balanced = ingress.flatMap(({ ip, ipMode }) =>
      ip && ipMode !== "Proxy" ? [ip] : [],
    );
    const own = slices.filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace &&
        slice.metadata.labels?.["kubernetes.io/service-name"] === metadata.name,
    );
    for (const { name = "", port, protocol = "TCP", nodePort } of spec.ports ??
      []) {
      const backends = backendsOf(own, name);
      const kind = protocol.toLowerCase();
      for (const ip of [clusterIP, ...externalIPs, ...balanced]) {
        map.set(`${ip}:${port}/${kind}`, backends);
      }
      if (nodePort) map.set(`0.0.0.0:${nodePort}/${kind}`, backends);
    }
  }
  return map;
}
// endregion: services

function backendsOf(slices: readonly EndpointSlice[], portName: string) {
  return slices.flatMap(({ endpoints = [], ports = [] }) => {
    const port = ports.find(({ name = "" }) => name === portName)?.port;
    if (port === undefined) return [];
    return endpoints
      .filter(({ conditions }) => conditions?.ready !== false)
      .map(({ addresses }) => ({ ip: addresses[0] ?? "", port }));
  });
}

// region: policy
export function policyMap(world: PolicyWorld): PolicyMap {
  if (world.policies.length === 0) return () => true;
  return (ip, direction, peer, protocol, port) => {
    const pod = world.pods.find((each) => addressOf(each) === ip);
    if (!pod) return true;
    const policies = policiesOf(pod, direction, world);
    if (policies.length === 0) return true;
    return policies
      .flatMap((policy) => rulesOf(policy, direction, pod, world))
      .some((rule) => allows(rule, peer, protocol, port));
  };
}
// endregion: policy

function allows(
  { peers, ports }: PolicyRule,
  peer: string,
  protocol: string,
  port: number,
): boolean {
  const who = !peers || peers.some((each) => includes(each, peer));
  const what =
    !ports ||
    ports.some(
      ({ protocol: wanted, first = 0, last = 65_535 }) =>
        wanted === protocol && first <= port && port <= last,
    );
  return who && what;
}

function includes(peer: PolicyPeer, ip: string): boolean {
  if ("ips" in peer) return peer.ips.includes(ip);
  const { cidr, except } = peer;
  return inCidr(ip, cidr) && !except.some((each) => inCidr(ip, each));
}
