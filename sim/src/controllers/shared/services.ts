/**
 * What Services mean for Pods: which ports, which addresses.
 * Models: pkg/api/v1/pod/util.go (FindPort),
 *         staging/src/k8s.io/endpointslice/utils.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Service } from "../../api/kinds/service.ts";
import type { ServicePort } from "../../api/kinds/types/service.ts";
import { setSelector } from "../../api/selector.ts";
import { keyOf } from "../../api/types.ts";
import type { Informer } from "../../client/informer.ts";
import { isTerminated, sidecarsOf } from "./pods.ts";

/** True if the Pod has an address and may get traffic, now or later. */
export function hasEndpoint(pod: Pod, includeTerminating: boolean): boolean {
  if (isTerminated(pod)) return false;
  const { podIP, podIPs } = pod.status ?? {};
  if (!podIP && !podIPs?.length) return false;
  return includeTerminating || !pod.metadata.deletionTimestamp;
}

/** Addresses of the Pod in one family, "IPv4" or "IPv6". */
export function addressesOf({ status }: Pod, family: string): string[] {
  const { podIP, podIPs = podIP ? [{ ip: podIP }] : [] } = status ?? {};
  const wanted = family === "IPv6";
  return podIPs.map(({ ip }) => ip).filter((ip) => ip.includes(":") === wanted);
}

/** Port number of the Pod that `port` leads to; undefined if it has none. */
export function targetPortOf(pod: Pod, port: ServicePort): number | undefined {
  const { targetPort = port.port, protocol = "TCP" } = port;
  if (typeof targetPort === "number") return targetPort;
  for (const { ports = [] } of [...pod.spec.containers, ...sidecarsOf(pod)]) {
    const found = ports.find(
      (one) => one.name === targetPort && (one.protocol ?? "TCP") === protocol,
    );
    if (found) return found.containerPort;
  }
  return undefined;
}

/** The Pods of a Service; none for a Service without selector. */
export function podsOf(service: Service, pods: Informer<Pod>): Pod[] {
  const { selector } = service.spec;
  if (!selector) return [];
  const { matches } = setSelector(selector);
  const all = pods.list(service.metadata.namespace);
  return all.filter((pod) => matches(pod.metadata.labels));
}

/** Keys of the Services that select the Pod. */
export function servicesOf(pod: Pod, services: Informer<Service>): string[] {
  if (services.size === 0) return [];
  return services
    .list(pod.metadata.namespace)
    .filter(({ spec: { selector } }) => {
      return selector && setSelector(selector).matches(pod.metadata.labels);
    })
    .map(keyOf);
}

/**
 * Keys of the Services that a change of a Pod concerns: those that select it
 * if its endpoint changed, and those that selected it before, or do now.
 */
export function servicesToUpdate(
  pod: Pod,
  old: Pod,
  services: Informer<Service>,
): string[] {
  const relabelled = pod.metadata.labels !== old.metadata.labels;
  if (!relabelled && !endpointChanged(pod, old)) return [];
  const now = servicesOf(pod, services);
  return relabelled ? [...now, ...servicesOf(old, services)] : now;
}

/** What an endpoint is made of. */
function endpointChanged(pod: Pod, old: Pod): boolean {
  if (pod.status === old.status && pod.spec === old.spec) {
    return pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
  }
  return (
    pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    pod.status?.podIP !== old.status?.podIP ||
    pod.status?.podIPs?.length !== old.status?.podIPs?.length ||
    pod.status?.phase !== old.status?.phase ||
    pod.spec.nodeName !== old.spec.nodeName ||
    ready(pod) !== ready(old)
  );
}

function ready(pod: Pod): string | undefined {
  const conditions = pod.status?.conditions;
  return conditions?.find(({ type }) => type === "Ready")?.status;
}
