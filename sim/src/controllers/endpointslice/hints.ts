/**
 * Hints to the proxies: whose traffic an endpoint is best for.
 * Models: staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go @ v1.36
 */
import type { Service } from "../../api/kinds/service.ts";
import type { Endpoint, EndpointHints } from "../../api/kinds/types/network.ts";

/** By the Service's trafficDistribution; for ready endpoints alone. */
export function hintsFor(
  { spec }: Service,
  { conditions, zone, nodeName }: Endpoint,
): EndpointHints | undefined {
  const { trafficDistribution } = spec;
  if (!trafficDistribution || !conditions?.ready) return undefined;
  const forZones = zone ? [{ name: zone }] : undefined;
  if (trafficDistribution === "PreferSameNode") {
    const forNodes = nodeName ? [{ name: nodeName }] : undefined;
    return { forZones, forNodes };
  }
  const zonal = ["PreferClose", "PreferSameZone"];
  return zonal.includes(trafficDistribution) ? { forZones } : undefined;
}
