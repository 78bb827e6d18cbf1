/**
 * What CHECK looks for in the Pod's namespace: addresses and routes as the
 * ADD's result says.
 * Models: containernetworking/plugins pkg/ip/utils_linux.go
 */
import { bitsOf, formatIp, maskOf, parseCidr } from "../../network/ip.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { lookup } from "../../network/route.ts";
import type { CniResult, CniRoute } from "../types.ts";

export function checkExpected(
  netns: NetworkNamespace,
  ifname: string,
  { ips = [], routes = [] }: CniResult,
): void {
  for (const { address, gateway = "<nil>" } of ips) {
    const link = netns.links.get(ifname);
    if (!link) throw new Error(`Cannot find container link ${ifname}`);
    const has = link.addresses.some(
      ({ ip, length }) => `${ip}/${length}` === address,
    );
    if (!has) {
      throw new Error(`Failed to match addr ${address} on interface ${ifname}`);
    }
    if (lookup(netns.routes, address.split("/")[0]!)) continue;
    throw new Error(
      `Failed to find Gateway ${gateway} for interface ${ifname}`,
    );
  }
  for (const route of routes) {
    const { dst, gw } = route;
    const isDefault = dst === "0.0.0.0/0" || dst === "::/0";
    const found = netns.routes.some(({ destination, gateway }) => {
      return destination === dst && (!gw || isDefault || gw === gateway);
    });
    if (found) continue;
    throw new Error(
      `Expected Route ${goRoute(route)} not found in routing table`,
    );
  }
}

/** As Go's `%+v` prints the plugins' Route. */
function goRoute({ dst, gw = "<nil>" }: CniRoute): string {
  const cidr = parseCidr(dst);
  if (!cidr) return dst;
  const { family, length, address: value } = cidr;
  const mask = maskOf(family, length).toString(16);
  const digits = mask.padStart(bitsOf(family) / 4, "0");
  const net = `{IP:${formatIp({ family, value })} Mask:${digits}}`;
  return `{Dst:${net} GW:${gw} MTU:0 AdvMSS:0 Priority:0 Table:<nil> Scope:<nil>}`;
}
