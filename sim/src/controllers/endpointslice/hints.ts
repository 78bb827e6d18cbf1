/**
 * Hints to the proxies: whose traffic an endpoint is best for. Those by share
 * of CPU are made in topology.ts.
 * Models: staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go @ v1.36
 */
import type { Service } from "../../api/kinds/service.ts";
import type { Endpoint, EndpointHints } from "../../api/kinds/types/network.ts";

/** Hints by CPU share, asked for with these, come before the others. */
const MODE = "service.kubernetes.io/topology-mode";
const OLD_MODE = "service.kubernetes.io/topology-aware-hints";

export function wantsTopology({ metadata }: Service): boolean {
  const { [OLD_MODE]: old, [MODE]: mode = "" } = metadata.annotations ?? {};
  return /^[Aa]uto$/.test(old ?? mode);
}

/** By the Service's trafficDistribution; for ready endpoints alone. */
export function hintsFor(
  service: Service,
  { conditions, zone, nodeName }: Endpoint,
): EndpointHints | undefined {
  const { trafficDistribution } = service.spec;
  if (!trafficDistribution || !conditions?.ready) return undefined;
  if (wantsTopology(service)) return undefined;
  const sameNode = trafficDistribution === "PreferSameNode";
  const known = ["PreferClose", "PreferSameZone"].includes(trafficDistribution);
  if (!sameNode && !known) return undefined;
  const hints = {
    ...(zone && { forZones: [{ name: zone }] }),
    ...(sameNode && nodeName && { forNodes: [{ name: nodeName }] }),
  };
  return hints.forZones || hints.forNodes ? hints : undefined;
}
