/**
 * Routing tables: the longest prefix wins.
 * Models:     `ip route` on one table
 * Leaves out: rules, metrics, several tables.
 */
import { contains, type Ip, parseCidr, parseIp } from "./ip.ts";

export interface Route {
  /** `10.244.1.0/24`, `0.0.0.0/0` for the default route. */
  readonly destination: string;
  /** Next hop; absent if the destination is on the link itself. */
  readonly gateway?: string;
  /** Interface name; absent for a blackhole. */
  readonly device?: string;
  readonly scope?: "link" | "host";
  /** Who made it: the kernel makes those of the interfaces' own addresses. */
  readonly protocol?: "kernel" | "static" | "bird";
  /** Source address that packets of this node take on this route. */
  readonly source?: string;
  /** The gateway counts as on the link though no address says so. */
  readonly onlink?: boolean;
  /** Packets that meet no better route vanish. */
  readonly blackhole?: boolean;
}

/** The route for `address`, or undefined: network unreachable. */
export function lookup(
  routes: readonly Route[],
  address: string,
): Route | undefined {
  const ip = parseIp(address);
  if (!ip) return undefined;
  let best: Route | undefined;
  let longest = -1;
  for (const route of routes) {
    const length = matchLength(route, ip);
    if (length > longest) {
      longest = length;
      best = route;
    }
  }
  return best;
}

/** Prefix length if the route covers the address, else -1. */
function matchLength(route: Route, ip: Ip): number {
  const cidr = parseCidr(route.destination);
  return cidr && contains(cidr, ip) ? cidr.length : -1;
}

/** `ip route replace`: nothing changes if the route is there already. */
export function replaceRoute(
  namespace: { routes: Route[] },
  route: Route,
): void {
  const { destination, gateway, device } = route;
  const at = namespace.routes.findIndex(
    (each) => each.destination === destination,
  );
  if (at < 0) {
    namespace.routes.push(route);
    return;
  }
  const known = namespace.routes[at]!;
  if (known.gateway === gateway && known.device === device) return;
  namespace.routes[at] = route;
}
