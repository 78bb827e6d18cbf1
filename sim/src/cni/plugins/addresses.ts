/**
 * What several plugins do with addresses.
 * Models: containernetworking/plugins pkg/ip/ipforward_linux.go;
 *         net.ParseMAC of Go 1.26
 */
import type { NetworkNamespace } from "../../network/namespace.ts";

/** The node passes packets of the address's family on. */
export function enableForwarding(
  { sysctl }: NetworkNamespace,
  address: string,
): void {
  const isV6 = address.includes(":");
  const name = isV6 ? "net.ipv6.conf.all.forwarding" : "net.ipv4.ip_forward";
  sysctl.set(name, "1");
}

/** As links have it; undefined if it is none. */
export function parseMac(text: string): string | undefined {
  if (!/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text)) return undefined;
  return text.toLowerCase().replaceAll("-", ":");
}
