/**
 * loopback: brings `lo` up. A runtime runs it before any other plugin.
 * Models: containernetworking/plugins plugins/main/loopback @ v1.9
 */
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { openNetns } from "./netns.ts";

export const loopback = plugin({
  name: "loopback",
  versions: ALL_VERSIONS,
  add(args): CniResult {
    const lo = loOf(args);
    lo.up = true;
    if (lo.addresses.length === 0) {
      lo.namespace.addAddress(lo, "127.0.0.1/8");
      lo.namespace.addAddress(lo, "::1/128");
    }
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
  return openNetns(args).links.get("lo")!;
}
