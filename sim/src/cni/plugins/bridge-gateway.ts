/**
 * The bridge as the Pods' gateway: its addresses, and forwarding.
 * Models: containernetworking/plugins plugins/main/bridge ensureAddr
 */
import { inCidr } from "../../network/ip.ts";
import type { Address, Link } from "../../network/link.ts";
import type { CniResult } from "../types.ts";
import { enableForwarding } from "./addresses.ts";

/** The bridge takes the gateway's address, and the node forwards packets. */
export function actAsGateway(
  br: Link,
  result: CniResult,
  force: boolean,
): void {
  const all = (result.ips ?? []).filter(({ gateway }) => gateway);
  const isV6 = ({ address }: { address: string }) => address.includes(":");
  const ordered = [...all.filter((ip) => !isV6(ip)), ...all.filter(isV6)];
  for (const { address, gateway } of ordered) {
    ensureAddress(br, `${gateway}/${address.split("/")[1]}`, force);
    enableForwarding(br.namespace, address);
  }
}

/** One IPv4 address alone, and no IPv6 ones whose subnets overlap. */
function ensureAddress(br: Link, wanted: string, force: boolean): void {
  const isV6 = wanted.includes(":");
  const textOf = ({ ip, length }: Address) => `${ip}/${length}`;
  if (br.addresses.some((each) => textOf(each) === wanted)) return;
  const inTheWay = br.addresses.filter((each) => {
    if (each.ip.includes(":") !== isV6) return false;
    const overlap =
      inCidr(each.ip, wanted) || inCidr(wanted.split("/")[0]!, textOf(each));
    return !isV6 || overlap;
  });
  if (inTheWay.length > 0 && !force) {
    const other = `"${br.name}" already has an IP address different from ${wanted}`;
    throw new Error(`failed to set bridge addr: ${other}`);
  }
  for (const address of inTheWay) takeAddress(br, address);
  br.namespace.addAddress(br, wanted);
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
