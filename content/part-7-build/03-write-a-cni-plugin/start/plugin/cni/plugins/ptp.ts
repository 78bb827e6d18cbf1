/**
 * ptp, to be written: a veth pair and a route for each Pod, no bridge. The
 * node's end is the Pod's gateway.
 * Stands in for: cni/plugins/ptp.ts, which also answers CHECK.
 */
import { execPlugin } from "../exec.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniIp, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { openNetns } from "./netns.ts";

// You may need: import { enableForwarding } from "./addresses.ts";
//               import { configureInterface } from "./configure.ts";
//               import { addMasquerade, removeMasquerade } from "./ip-masq.ts";

interface PtpConf extends NetConf {
  readonly ipMasq?: boolean;
}

export const ptp = plugin<PtpConf>({
  name: "ptp",
  versions: ALL_VERSIONS,

  add(args) {
    const ips = addressesFor(args);
    const netns = openNetns(args);
    const name = args.host.network.vethName();
    args.host.network.addVeth(netns, args.ifname, name, 1500);
    // Write here. Inside: the addresses, and the gateway as the way to all.
    // On the node: the gateway's address at its end of the pair, and a route
    // to each Pod. The result names the interfaces and the addresses.
    return { ips };
  },

  del() {
    // And here: what ADD took, on the node and from the IPAM plugin. It may be
    // that ADD never came so far, or that the namespace is gone.
  },
});

/** Executes the IPAM plugin of the configuration, which gives addresses. */
function addressesFor({ conf, host, env }: CniArgs<PtpConf>): readonly CniIp[] {
  const given = execPlugin(host, conf.ipam?.type ?? "", env, conf);
  if (!given?.ips?.length) {
    throw new Error("IPAM plugin returned missing IP config");
  }
  return given.ips;
}
