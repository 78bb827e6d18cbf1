/**
 * NetworkPolicies as an agent needs them: for one Pod, who may speak with it
 * and to whom it may speak. No policy of a direction: everybody. One or more:
 * whoever any of them allows, and nobody else.
 * Models:     projectcalico/calico libcalico-go/lib/backend/k8s/conversion @ v3.31
 * Leaves out: named ports of egress rules.
 */
import type { Namespace } from "../api/kinds/namespace.ts";
import type { NetworkPolicy } from "../api/kinds/networkpolicy.ts";
import type { Pod } from "../api/kinds/pod.ts";
import { labelSelector } from "../api/selector.ts";

export type Direction = "Ingress" | "Egress";

/** Where the agent looks things up. */
export interface PolicyWorld {
  readonly pods: readonly Pod[];
  readonly namespaces: ReadonlyMap<string, Namespace>;
  readonly policies: readonly NetworkPolicy[];
}

export interface PolicyRule {
  /** Any of these; absent: anybody. */
  readonly peers?: readonly PolicyPeer[];
  /** Any of these; absent: every port. */
  readonly ports?: readonly PolicyPort[];
}

/** Pods' addresses, or a range without some parts of it. */
export type PolicyPeer =
  | { readonly ips: readonly string[] }
  | { readonly cidr: string; readonly except: readonly string[] };

export interface PolicyPort {
  /** tcp, udp, sctp. */
  readonly protocol: string;
  /** Absent: every port of the protocol. */
  readonly first?: number;
  readonly last?: number;
}

/** Policies that isolate the Pod in the direction; none: it is open. */
export function policiesOf(
  pod: Pod,
  direction: Direction,
  { policies }: PolicyWorld,
): readonly NetworkPolicy[] {
  return policies.filter(
    ({ metadata, spec: { ingress = [], egress = [], ...spec } }) =>
      metadata.namespace === pod.metadata.namespace &&
      // Without a rule there is nothing to do.
      (direction === "Ingress" ? ingress : egress).length > 0 &&
      labelSelector(spec.podSelector ?? {}).matches(pod.metadata.labels),
  );
}

// region: rules
export function rulesOf(
  policy: NetworkPolicy,
  direction: Direction,
  pod: Pod,
  world: PolicyWorld,
): PolicyRule[] {
  const { ingress = [], egress = [] } = policy.spec;
  const rules =
    direction === "Ingress"
      ? ingress.map(({ from, ports }) => ({ who: from, ports }))
      : egress.map(({ to, ports }) => ({ who: to, ports }));
  return rules.map(({ who = [], ports = [] }) => {
    const peers = who.map((peer) => peerOf(policy, peer, world));
    return {
      ...(who.length > 0 ? { peers } : {}),
      ...(ports.length > 0
        ? { ports: ports.flatMap((port) => portOf(port, pod)) }
        : {}),
    };
  });
}
// endregion: rules

type Rule = NonNullable<NetworkPolicy["spec"]["ingress"]>[number];
type Peer = NonNullable<Rule["from"]>[number];
type Port = NonNullable<Rule["ports"]>[number];

/** Pods of these Namespaces, or Pods with these labels. */
function peerOf(
  _: NetworkPolicy,
  { ipBlock, namespaceSelector, podSelector = {} }: Peer,
  { pods, namespaces }: PolicyWorld,
): PolicyPeer {
  if (ipBlock) return { cidr: ipBlock.cidr, except: ipBlock.except ?? [] };
  const inNamespace = (name: string) => {
    if (!namespaceSelector) return true;
    const { labels } = namespaces.get(name)?.metadata ?? {};
    return labelSelector(namespaceSelector).matches(labels);
  };
  const selector = labelSelector(namespaceSelector ? {} : podSelector);
  const ips = pods
    .filter((pod) => inNamespace(pod.metadata.namespace ?? ""))
    .filter((pod) => selector.matches(pod.metadata.labels))
    .map(addressOf)
    .filter((ip) => ip !== "");
  return { ips };
}

/** "" for a Pod that has ended, or uses the node's own network. */
export function addressOf({ spec, status }: Pod): string {
  const over = status?.phase === "Succeeded" || status?.phase === "Failed";
  return over || spec.hostNetwork ? "" : (status?.podIP ?? "");
}

/** A port by name is the one that the Pod's container calls so. */
function portOf({ port, endPort, protocol = "TCP" }: Port, pod: Pod) {
  const lower = protocol.toLowerCase();
  if (port === undefined) return [{ protocol: lower }];
  if (typeof port === "number") {
    return [{ protocol: lower, first: port, last: endPort ?? port }];
  }
  return pod.spec.containers
    .flatMap(({ ports = [] }) => ports)
    .filter(({ name }) => name === port)
    .map(({ containerPort: first }) => ({
      ...{ protocol: lower, first, last: first },
    }));
}
