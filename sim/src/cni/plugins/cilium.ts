/**
 * cilium-cni: a veth with an address of the node's range, and the agent's
 * programs at the node's end of it. There is no bridge and no iptables rule.
 * Models:     cilium plugins/cilium-cni
 * Leaves out: the agent's socket: its maps are asked directly.
 */
import type { CiliumDatapath } from "../../network/cilium.ts";
import { formatIp, lastOf, parseCidr } from "../../network/ip.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { openNetns } from "./netns.ts";

interface CiliumConf extends NetConf {
  /** Bytes. */
  readonly mtu?: number;
}

export const cilium = plugin<CiliumConf>({
  name: "cilium-cni",
  versions: ALL_VERSIONS,
  add(args) {
    const { ifname, containerId, host } = args;
    const datapath = datapathOf(args);
    if (!datapath) {
      throw new Error(
        "unable to connect to Cilium agent: dial unix " +
          "/var/run/cilium/cilium.sock: connect: no such file or directory",
      );
    }
    const netns = openNetns(args);
    const ip = allocate(datapath, containerId);
    const { router } = datapath;
    const name = `lxc${containerId.slice(0, 12)}`;
    const mtu = args.conf.mtu ?? 1500;
    const { inside, outside } = host.network.addVeth(netns, ifname, name, mtu);
    outside.proxyArp = true;
    outside.ingress = datapath.fromContainer;
    datapath.endpoints.set(ip, outside);
    netns.connect = datapath.connectFrom(netns.path);
    netns.addAddress(inside, `${ip}/32`);
    const device = ifname;
    netns.addRoute({ destination: `${router}/32`, device, scope: "link" });
    netns.addRoute({ destination: "0.0.0.0/0", gateway: router, device });
    const interfaces = [
      { name, mac: outside.mac },
      { name: ifname, mac: inside.mac, sandbox: args.netns },
    ];
    const ips = [{ address: `${ip}/32`, gateway: router, interface: 1 }];
    return { interfaces, ips, routes: [{ dst: "0.0.0.0/0", gw: router }] };
  },
  del(args) {
    const datapath = datapathOf(args);
    for (const [ip, id] of datapath?.given ?? []) {
      if (id !== args.containerId) continue;
      datapath?.given.delete(ip);
      datapath?.endpoints.delete(ip);
    }
    const netns = args.netns && args.host.network.namespace(args.netns);
    if (netns) netns.removeLink(args.ifname);
  },
  check(args) {
    if (openNetns(args).links.has(args.ifname)) return;
    throw new Error(`interface ${args.ifname} not found`);
  },
});

function datapathOf({ host }: CniArgs<CiliumConf>): CiliumDatapath | null {
  return host.network.root.cilium;
}

/** The first address of the node's range that nobody has. */
function allocate({ podCIDR, given, router }: CiliumDatapath, id: string) {
  const range = parseCidr(podCIDR)!;
  const last = lastOf(range);
  for (let value = range.base + 1n; value < last; value++) {
    const ip = formatIp({ family: 4, value });
    if (ip === router || given.has(ip)) continue;
    given.set(ip, id);
    return ip;
  }
  throw new Error("range is full");
}
