/**
 * loopback: brings `lo` up. A runtime runs it before any other plugin.
 * Models: containernetworking/plugins plugins/main/loopback @ v1.9
 */
import type { Address } from "../../network/link.ts";
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { enterNetns } from "./netns.ts";

/** The same in every namespace, so all share them. */
const LOOPBACK_ADDRESSES: readonly Address[] = Object.freeze([
  { ip: "127.0.0.1", length: 8, scope: "host" },
  { ip: "::1", length: 128, scope: "host" },
]);

export const loopback = plugin({
  name: "loopback",
  versions: ALL_VERSIONS,
  add(args): CniResult {
    const lo = loOf(args);
    lo.up = true;
    if (lo.addresses.length === 0) lo.addresses = LOOPBACK_ADDRESSES;
    // In a chain it only passes on what the others have made.
    const before = parseResult(args.conf.prevResult);
    if (before) return before;
    return {
      interfaces: [{ name: "lo", mac: lo.mac, sandbox: args.netns }],
      ips: lo.addresses.map(({ ip, length }) => ({
        address: `${ip}/${length}`,
        interface: 0,
      })),
    };
  },
  del(args) {
    const lo = args.host.network.namespace(args.netns)?.links.get("lo");
    if (args.netns !== "" && lo) lo.up = false;
  },
  check(args) {
    if (!loOf(args).up) throw new Error("loopback interface is down");
  },
});

/** Whatever CNI_IFNAME says, this plugin works on `lo`. */
function loOf(args: CniArgs) {
  return enterNetns(args).links.get("lo")!;
}
