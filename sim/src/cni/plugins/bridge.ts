/**
 * bridge: a veth pair for the Pod, the node's end plugged into a bridge; the
 * address comes from another plugin (ipam), which it executes in turn.
 * Models:     containernetworking/plugins plugins/main/bridge @ v1.9
 * Leaves out: VLANs, port isolation, spoof checks, nftables for ipMasq.
 * Try:        leave `hairpinMode` out and let a Pod call its own Service.
 */
import type { Link } from "../../network/link.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { execPlugin } from "../exec.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniInterface, CniResult } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import {
  type BridgeConf,
  checkBridge,
  readBridgeConf,
} from "./bridge-check.ts";
import { configureInterface, withGateways } from "./configure.ts";
import { addMasquerade, removeMasquerade } from "./ip-masq.ts";
import { openNetns } from "./netns.ts";

export const bridge = plugin<BridgeConf>({
  name: "bridge",
  versions: ALL_VERSIONS,
  add(args) {
    const conf = readBridgeConf(args);
    const br = ensureBridge(args, conf);
    const netns = openNetns(args);
    const { inside, outside } = addVeth(args, conf, br, netns);
    const interfaces: CniInterface[] = [
      { name: br.name, mac: br.mac },
      { name: outside.name, mac: outside.mac },
      { name: inside.name, mac: inside.mac, sandbox: args.netns },
    ];
    if (!conf.ipam?.type) return { interfaces };
    const given = execPlugin(args.host, conf.ipam.type, args.env, args.conf);
    if (!given?.ips?.length) {
      throw new Error("IPAM plugin returned missing IP config");
    }
    const result = withGateways(given, conf);
    configureInterface(inside, result);
    if (conf.isGateway) actAsGateway(br, result);
    if (conf.ipMasq) addMasquerade(args, result);
    // The bridge's own MAC may have changed with its first port.
    return { ...result, interfaces };
  },
  del(args) {
    const conf = readBridgeConf(args);
    if (conf.ipam?.type) {
      execPlugin(args.host, conf.ipam.type, args.env, args.conf);
    }
    const netns = args.host.network.namespace(args.netns);
    const link = args.netns ? netns?.links.get(args.ifname) : undefined;
    // A namespace that is gone took its end of the veth, and so ours, along.
    if (!netns || !link) return;
    netns.removeLink(args.ifname);
    if (conf.ipMasq) removeMasquerade(args, link.addresses);
  },
  check: checkBridge,
  status(args) {
    const { ipam } = args.conf;
    if (ipam?.type) execPlugin(args.host, ipam.type, args.env, args.conf);
  },
  gc(args) {
    const { ipam } = args.conf;
    if (ipam?.type) execPlugin(args.host, ipam.type, args.env, args.conf);
  },
});

function ensureBridge(args: CniArgs, conf: BridgeConf): Link {
  const { root } = args.host.network;
  const name = conf.bridge ?? "cni0";
  const found = root.links.get(name);
  if (found) {
    if (found.kind === "bridge") return found;
    throw new Error(`"${name}" already exists but is not a bridge`);
  }
  const mac = args.host.network.mac();
  return root.addLink({ name, kind: "bridge", mac, mtu: conf.mtu ?? 1500 });
}

function addVeth(
  args: CniArgs,
  conf: BridgeConf,
  br: Link,
  netns: NetworkNamespace,
): { inside: Link; outside: Link } {
  const { network } = args.host;
  const hostName = network.vethName();
  if (netns.links.has(args.ifname)) {
    throw new Error(
      `container veth name ("${args.ifname}") peer provided ("${hostName}") already exists`,
    );
  }
  const mtu = conf.mtu ?? 1500;
  const pair = network.addVeth(netns, args.ifname, hostName, mtu);
  pair.outside.master = br;
  pair.outside.hairpin = conf.hairpinMode ?? false;
  return pair;
}

/** The bridge takes the gateway's address, and the node forwards packets. */
function actAsGateway(br: Link, result: CniResult): void {
  for (const { address, gateway } of result.ips ?? []) {
    if (!gateway) continue;
    const v6 = gateway.includes(":");
    br.namespace.sysctl.set(
      v6 ? "net.ipv6.conf.all.forwarding" : "net.ipv4.ip_forward",
      "1",
    );
    if (br.addresses.some(({ ip }) => ip === gateway)) continue;
    br.namespace.addAddress(br, `${gateway}/${address.split("/")[1]}`);
  }
}
