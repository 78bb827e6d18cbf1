/**
 * Which endpoints a port may send to from this node: all, those in its zone
 * or on the node, those of policy Local; ending ones only if none is ready.
 * Models: pkg/proxy/topology.go CategorizeEndpoints @ v1.36
 */
import {
  endpointText,
  type ProxyEndpoint,
  type ServicePort,
  usesClusterEndpoints,
  usesLocalEndpoints,
} from "./service-ports.ts";

export interface Categorized {
  readonly cluster: readonly ProxyEndpoint[];
  readonly local: readonly ProxyEndpoint[];
  /** Both, each once. */
  readonly reachable: readonly ProxyEndpoint[];
  /** Is there any usable endpoint anywhere? */
  readonly hasAny: boolean;
}

export interface NodePlace {
  readonly node: string;
  /** "" if the node has no zone label. */
  readonly zone: string;
}

// region: categorize
export function categorizeEndpoints(
  port: ServicePort,
  place: NodePlace,
): Categorized {
  const { endpoints } = port;
  const ending = (e: ProxyEndpoint) => e.serving && e.terminating;
  let cluster: readonly ProxyEndpoint[] = [];
  let hasAny = false;
  if (usesClusterEndpoints(port)) {
    const near = nearness(endpoints, place);
    cluster = endpoints.filter((e) => e.ready && near(e));
    if (cluster.length === 0) cluster = endpoints.filter(ending);
    hasAny = cluster.length > 0;
  }
  if (!usesLocalEndpoints(port)) {
    return { cluster, local: [], reachable: cluster, hasAny };
  }
  hasAny ||= endpoints.some((e) => e.ready || ending(e));
  let local = endpoints.filter((e) => e.isLocal && e.ready);
  if (local.length === 0)
    local = endpoints.filter((e) => e.isLocal && ending(e));
  return { cluster, local, reachable: union(cluster, local), hasAny };
}
// endregion: categorize

function union(
  a: readonly ProxyEndpoint[],
  b: readonly ProxyEndpoint[],
): readonly ProxyEndpoint[] {
  const all = new Map([...a, ...b].map((each) => [endpointText(each), each]));
  return [...all.values()];
}

/** Hints count only if every ready endpoint has one and one is for us. */
function nearness(
  endpoints: readonly ProxyEndpoint[],
  { node, zone }: NodePlace,
): (endpoint: ProxyEndpoint) => boolean {
  const ready = endpoints.filter((each) => each.ready);
  const all = (
    has: (endpoint: ProxyEndpoint) => readonly string[],
    own: string,
  ) =>
    ready.length > 0 &&
    ready.every((each) => has(each).length > 0) &&
    ready.some((each) => has(each).includes(own));
  if (all((e) => e.nodeHints, node)) return (e) => e.nodeHints.includes(node);
  if (all((e) => e.zoneHints, zone)) return (e) => e.zoneHints.includes(zone);
  return () => true;
}
