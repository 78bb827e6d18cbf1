/**
 * What the agent puts into the maps: Services with their backends, and a
 * verdict for each Pod, direction and peer.
 * Models: cilium pkg/loadbalancer, pkg/policy
 */
import type { Endpoint, EndpointSlice } from "../../api/kinds/endpointslice.ts";
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
/** `inside`: for processes of the cluster; `outside`: for who comes by eth0. */
export function servicesMaps(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  node: string,
): { inside: Services; outside: Services } {
  const inside: Services = new Map();
  const outside: Services = new Map();
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
      const all = backendsOf(own, name);
      const here = backendsOf(own, name, node);
      const kind = protocol.toLowerCase();
      const internal = spec.internalTrafficPolicy === "Local" ? here : all;
      inside.set(`${clusterIP}:${port}/${kind}`, internal);
      for (const ip of [...externalIPs, ...balanced]) {
        inside.set(`${ip}:${port}/${kind}`, all);
      }
      if (!nodePort) continue;
      const external = spec.externalTrafficPolicy === "Local" ? here : all;
      inside.set(`0.0.0.0:${nodePort}/${kind}`, all);
      outside.set(`0.0.0.0:${nodePort}/${kind}`, external);
    }
  }
  return { inside, outside };
}
// endregion: services

/** The ready ones, on the node alone if it is named; else those that end. */
function backendsOf(
  slices: readonly EndpointSlice[],
  portName: string,
  node?: string,
) {
  const found = (takes: (conditions: Endpoint["conditions"]) => boolean) =>
    slices.flatMap(({ endpoints = [], ports = [] }) => {
      const port = ports.find(({ name = "" }) => name === portName)?.port;
      if (port === undefined) return [];
      return endpoints
        .filter(({ nodeName }) => node === undefined || nodeName === node)
        .filter(({ conditions }) => takes(conditions))
        .map(({ addresses }) => ({ ip: addresses[0] ?? "", port }));
    });
  const ready = found((conditions) => conditions?.ready !== false);
  if (ready.length > 0) return ready;
  return found((its) => Boolean(its?.serving && its.terminating));
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
