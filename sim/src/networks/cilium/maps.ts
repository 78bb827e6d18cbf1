/**
 * What the agent puts into the maps: Services with their backends, and a
 * verdict for each Pod, direction and peer.
 * Models: cilium pkg/loadbalancer, pkg/policy
 */
import type { Endpoint, EndpointSlice } from "../../api/kinds/endpointslice.ts";
import type { Service } from "../../api/kinds/service.ts";
import type { PolicyMap } from "../../network/cilium.ts";
import type { CiliumService } from "../../network/cilium-lb.ts";
import { inCidr } from "../../network/ip.ts";
import {
  addressOf,
  type PolicyPeer,
  type PolicyRule,
  type PolicyWorld,
  policiesOf,
  rulesOf,
} from "../policy.ts";

type Services = Map<string, CiliumService>;

// region: services
/** `inside`: for processes of the cluster; `outside`: for who comes by eth0. */
export function servicesMaps(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  node: string,
): { inside: Services; outside: Services } {
  const inside: Services = new Map();
  const outside: Services = new Map();
  for (const service of services) {
    const { clusterIP = "", ports = [], ...spec } = service.spec;
    if (!clusterIP || clusterIP === "None") continue;
    const { externalTrafficPolicy: policy, externalIPs = [] } = spec;
    const ranges = spec.loadBalancerSourceRanges;
    const affinitySeconds = affinityOf(service);
    const own = slicesOf(service, slices);
    for (const { name = "", port, protocol = "TCP", nodePort } of ports) {
      const to = (policy?: string, sourceRanges: readonly string[] = []) => {
        const here = policy === "Local" ? node : undefined;
        const backends = backendsOf(own, name, here);
        return { backends, affinitySeconds, sourceRanges };
      };
      const at = (ip: string, number = port) =>
        `${ip}:${number}/${protocol.toLowerCase()}`;
      const open = (frontend: string, sourceRanges?: readonly string[]) => {
        inside.set(frontend, to());
        outside.set(frontend, to(policy, sourceRanges));
      };
      inside.set(at(clusterIP), to(spec.internalTrafficPolicy));
      for (const ip of externalIPs) open(at(ip));
      for (const ip of balancedIPs(service)) open(at(ip), ranges);
      if (nodePort) open(at("0.0.0.0", nodePort));
    }
  }
  return { inside, outside };
}
// endregion: services

/** Seconds that a client stays with its backend. */
function affinityOf({ spec }: Service): number {
  if (spec.sessionAffinity !== "ClientIP") return 0;
  return spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800;
}

/** Addresses of load balancers that packets still carry when they come. */
function balancedIPs({ status }: Service): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip, ipMode }) =>
    ip && ipMode !== "Proxy" ? [ip] : [],
  );
}

function slicesOf(
  { metadata }: Service,
  slices: readonly EndpointSlice[],
): readonly EndpointSlice[] {
  return slices.filter(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.labels?.["kubernetes.io/service-name"] === metadata.name,
  );
}

/** Ready backends on the node; each port of one counts. */
export function localBackends(
  service: Service,
  slices: readonly EndpointSlice[],
  node: string,
): number {
  const counts = slicesOf(service, slices).map(
    ({ endpoints = [], ports = [] }) => {
      const ready = endpoints.filter(
        ({ nodeName, conditions }) =>
          nodeName === node && conditions?.ready !== false,
      );
      return ready.length * ports.length;
    },
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

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
/** `nodes`: addresses of the other nodes. */
export function policyMap(
  world: PolicyWorld,
  nodes: ReadonlySet<string>,
): PolicyMap {
  if (world.policies.length === 0) return () => true;
  // Of those the agent knows who they are: an ipBlock is for all others.
  const known = new Set([...nodes, ...world.pods.map(addressOf)]);
  return (ip, direction, peer, protocol, port) => {
    const pod = world.pods.find((each) => addressOf(each) === ip);
    if (!pod) return true;
    const policies = policiesOf(pod, direction, world);
    if (policies.length === 0) return true;
    return policies
      .flatMap((policy) => rulesOf(policy, direction, pod, world))
      .some((rule) => allows(rule, peer, known.has(peer), protocol, port));
  };
}
// endregion: policy

function allows(
  { peers, ports }: PolicyRule,
  peer: string,
  known: boolean,
  protocol: string,
  port: number,
): boolean {
  const who = !peers || peers.some((each) => includes(each, peer, known));
  const what =
    !ports ||
    ports.some(
      ({ protocol: wanted, first = 0, last = 65_535 }) =>
        wanted === protocol && first <= port && port <= last,
    );
  return who && what;
}

function includes(peer: PolicyPeer, ip: string, known: boolean): boolean {
  if ("ips" in peer) return peer.ips.includes(ip);
  const { cidr, except } = peer;
  return !known && inCidr(ip, cidr) && !except.some((each) => inCidr(ip, each));
}
