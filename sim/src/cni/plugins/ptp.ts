/**
 * ptp: a veth pair and a route for each Pod, no bridge: the node's end is the
 * Pod's gateway.
 * Models: containernetworking/plugins plugins/main/ptp @ v1.9
 */
import { execPlugin } from "../exec.ts";
import { plugin } from "../spec.ts";
import type { CniInterface, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { addMasquerade, removeMasquerade } from "./ip-masq.ts";
import { openNetns } from "./netns.ts";

interface PtpConf extends NetConf {
  readonly ipMasq?: boolean;
  /** Bytes. */
  readonly mtu?: number;
}

export const ptp = plugin<PtpConf>({
  name: "ptp",
  versions: ALL_VERSIONS,
  add(args) {
    const { conf, host, ifname, env } = args;
    const given = execPlugin(host, conf.ipam?.type ?? "", env, conf);
    const ips = given?.ips ?? [];
    if (ips.length === 0) {
      throw new Error("IPAM plugin returned missing IP config");
    }
    const netns = openNetns(args);
    const { network } = host;
    const name = network.vethName();
    const { inside, outside } = network.addVeth(
      netns,
      ifname,
      name,
      conf.mtu ?? 1500,
    );
    for (const { address, gateway } of ips) {
      const ip = address.split("/")[0];
      const host32 = address.includes(":") ? `${ip}/128` : `${ip}/32`;
      netns.addAddress(inside, address);
      // The subnet lies behind the gateway, and that on the link.
      netns.routes = netns.routes.filter(({ device }) => device !== ifname);
      if (gateway) {
        netns.addRoute({
          destination: `${gateway}/32`,
          device: ifname,
          scope: "link",
        });
        netns.addRoute({ destination: "0.0.0.0/0", gateway, device: ifname });
        network.root.addAddress(outside, `${gateway}/32`);
      }
      network.root.addRoute({
        destination: host32,
        device: name,
        scope: "link",
      });
    }
    network.root.sysctl.set("net.ipv4.ip_forward", "1");
    const interfaces: CniInterface[] = [
      { name, mac: outside.mac },
      { name: ifname, mac: inside.mac, sandbox: args.netns },
    ];
    const result = {
      ...given,
      ips: ips.map((ip) => ({ ...ip, interface: 1 })),
      interfaces,
    };
    if (conf.ipMasq) addMasquerade(args, result);
    return result;
  },
  del(args) {
    const { conf, host, env } = args;
    if (conf.ipam?.type) execPlugin(host, conf.ipam.type, env, conf);
    const netns = host.network.namespace(args.netns);
    const link = args.netns ? netns?.links.get(args.ifname) : undefined;
    if (!netns || !link) return;
    netns.removeLink(args.ifname);
    if (conf.ipMasq) removeMasquerade(args, link.addresses);
  },
  check(args) {
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
    if (openNetns(args).links.has(args.ifname)) return;
    throw new Error(`ptp: Interface name ${args.ifname} not found`);
  },
});
