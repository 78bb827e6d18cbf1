/**
 * Giving the Pod's interface its addresses and routes, as the result says.
 * Models: containernetworking/plugins pkg/ipam/ipam_linux.go, bridge calcGateways
 */
import { formatIp, parseCidr } from "../../network/ip.ts";
import type { Link } from "../../network/link.ts";
import type { CniIp, CniResult, CniRoute } from "../types.ts";

/** Fills in the gateways; with `isDefaultGateway` adds the default route. */
export function withGateways(
  given: CniResult,
  conf: { isGateway?: boolean; isDefaultGateway?: boolean },
): CniResult {
  const ips = (given.ips ?? []).map((ip) => ({
    ...ip,
    interface: 2,
    gateway: ip.gateway ?? (conf.isGateway ? firstOf(ip.address) : undefined),
  }));
  if (!conf.isDefaultGateway) return { ...given, ips };
  const routes: CniRoute[] = [...(given.routes ?? [])];
  for (const { gateway } of ips) {
    const dst = gateway?.includes(":") ? "::/0" : "0.0.0.0/0";
    if (routes.some((route) => route.dst === dst && route.gw)) continue;
    routes.push({ dst, gw: gateway });
  }
  return { ...given, ips, routes };
}

function firstOf(address: string): string | undefined {
  const cidr = parseCidr(address);
  if (!cidr) return undefined;
  return formatIp({ family: cidr.family, value: cidr.base + 1n });
}

/** Routes without a gateway of their own go through the address's gateway. */
export function configureInterface(link: Link, result: CniResult): void {
  const ips = result.ips ?? [];
  for (const { address } of ips) link.namespace.addAddress(link, address);
  for (const route of result.routes ?? []) {
    const gateway = route.gw ?? gatewayFor(route.dst, ips);
    const { dst: destination } = route;
    link.namespace.addRoute({ destination, gateway, device: link.name });
  }
}

function gatewayFor(dst: string, ips: readonly CniIp[]): string | undefined {
  const v6 = dst.includes(":");
  return ips.find((ip) => ip.address.includes(":") === v6)?.gateway;
}
