/**
 * The bridge as the Pods' gateway: its addresses, and forwarding.
 * Models: containernetworking/plugins plugins/main/bridge ensureAddr
 */
import { inCidr } from "../../network/ip.ts";
import type { Address, Link } from "../../network/link.ts";
import type { CniIp, CniResult } from "../types.ts";
import { enableForwarding } from "./addresses.ts";

/** The bridge takes the gateway's address, and the node forwards packets. */
export function actAsGateway(
  br: Link,
  result: CniResult,
  force: boolean,
): void {
  const { ips = [] } = result;
  for (const ip of ips) if (!isV6(ip.address)) serve(br, ip, force);
  for (const ip of ips) if (isV6(ip.address)) serve(br, ip, force);
}

function serve(br: Link, { address, gateway }: CniIp, force: boolean): void {
  if (!gateway) return;
  const length = address.slice(address.indexOf("/"));
  ensureAddress(br, `${gateway}${length}`, force);
  enableForwarding(br.namespace, address);
}

function isV6(address: string): boolean {
  return address.includes(":");
}

/** One IPv4 address alone, and no IPv6 ones whose subnets overlap. */
function ensureAddress(br: Link, wanted: string, force: boolean): void {
  if (br.addresses.some((each) => textOf(each) === wanted)) return;
  const inTheWay = br.addresses.filter((each) => {
    if (isV6(each.ip) !== isV6(wanted)) return false;
    const overlap =
      inCidr(each.ip, wanted) || inCidr(wanted.split("/")[0]!, textOf(each));
    return !isV6(wanted) || overlap;
  });
  if (inTheWay.length > 0 && !force) {
    const other = `"${br.name}" already has an IP address different from ${wanted}`;
    throw new Error(`failed to set bridge addr: ${other}`);
  }
  for (const address of inTheWay) takeAddress(br, address);
  br.namespace.addAddress(br, wanted);
}

function textOf({ ip, length }: Address): string {
  return `${ip}/${length}`;
}

/** The route to its subnet goes with it. */
function takeAddress(link: Link, address: Address): void {
  const { namespace } = link;
  link.addresses = link.addresses.filter((each) => each !== address);
  namespace.routes = namespace.routes.filter(
    ({ device, protocol, source }) =>
      device !== link.name || protocol !== "kernel" || source !== address.ip,
  );
}
