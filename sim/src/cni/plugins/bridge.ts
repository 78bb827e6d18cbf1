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
import { parseMac } from "./addresses.ts";
import {
  type BridgeConf,
  checkBridge,
  readBridgeConf,
} from "./bridge-check.ts";
import { actAsGateway } from "./bridge-gateway.ts";
import { configureInterface, withGateways } from "./configure.ts";
import { addMasquerade, removeMasquerade } from "./ip-masq.ts";
import { openNetns } from "./netns.ts";

export const bridge = plugin<BridgeConf>({
  name: "bridge",
  versions: ALL_VERSIONS,
  add(args) {
    const conf = readBridgeConf(args);
    checkAdd(conf);
    const br = ensureBridge(args, conf);
    const netns = openNetns(args);
    const { inside, outside } = addVeth(args, conf, br, netns);
    const interfaces: CniInterface[] = [
      { name: br.name, mac: br.mac },
      { name: outside.name, mac: outside.mac },
      { name: inside.name, mac: inside.mac, sandbox: args.netns },
    ];
    if (!conf.ipam?.type) return { interfaces, dns: conf.dns };
    const result = withAddress(args, conf, conf.ipam.type, br, inside);
    const { dns = {} } = conf;
    const named = Object.keys(dns).length > 0 ? { dns } : {};
    return { ...result, interfaces, ...named };
  },
  del(args) {
    const conf = readBridgeConf(args);
    const netns = args.host.network.namespace(args.netns);
    const link = args.netns ? netns?.links.get(args.ifname) : undefined;
    netns?.removeLink(link?.name ?? "");
    if (conf.ipam?.type) {
      execPlugin(args.host, conf.ipam.type, args.env, args.conf);
    }
    // A namespace that is gone took its end of the veth, and so ours, along.
    if (link && conf.ipMasq) removeMasquerade(args, link.addresses);
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

function checkAdd(conf: BridgeConf): void {
  if (conf.ipam?.type && conf.disableContainerInterface) {
    const flag = "DisableContainerInterface flag is set";
    throw new Error(`cannot use IPAM when ${flag}`);
  }
  if (conf.hairpinMode && conf.promiscMode) {
    throw new Error(
      "cannot set hairpin mode and promiscuous mode at the same time",
    );
  }
}

/** The address, routes and rules; given back if anything of it fails. */
function withAddress(
  args: CniArgs<BridgeConf>,
  conf: BridgeConf,
  ipam: string,
  br: Link,
  inside: Link,
): CniResult {
  const { host, env } = args;
  const given = execPlugin(host, ipam, env, args.conf);
  try {
    if (!given?.ips?.length) {
      throw new Error("IPAM plugin returned missing IP config");
    }
    const result = withGateways(given, conf);
    configureInterface(inside, result);
    if (conf.isGateway) actAsGateway(br, result, conf.forceAddress ?? false);
    if (conf.ipMasq) addMasquerade(args, result);
    return result;
  } catch (error) {
    execPlugin(host, ipam, { ...env, CNI_COMMAND: "DEL" }, args.conf);
    throw error;
  }
}

function ensureBridge(args: CniArgs, conf: BridgeConf): Link {
  const { root } = args.host.network;
  const name = conf.bridge ?? "cni0";
  const found = root.links.get(name);
  if (found) {
    if (found.kind === "bridge") return found;
    throw new Error(
      `failed to create bridge "${name}": "${name}" already exists but is not a bridge`,
    );
  }
  const mac = args.host.network.mac();
  return root.addLink({ name, kind: "bridge", mac, mtu: conf.mtu || 1500 });
}

function addVeth(
  args: CniArgs,
  conf: BridgeConf & { mac: string | undefined },
  br: Link,
  netns: NetworkNamespace,
): { inside: Link; outside: Link } {
  const { network } = args.host;
  const hostName = network.vethName();
  const mac = conf.mac && parseMac(conf.mac);
  if (conf.mac && !mac) {
    const reason = `address ${conf.mac}: invalid MAC address`;
    throw new Error(`failed to make veth pair: ${reason}`);
  }
  if (netns.links.has(args.ifname)) {
    throw new Error(
      `container veth name ("${args.ifname}") peer provided ("${hostName}") already exists`,
    );
  }
  const mtu = conf.mtu || 1500;
  const pair = network.addVeth(netns, args.ifname, hostName, mtu);
  if (mac) pair.inside.mac = mac;
  pair.outside.master = br;
  pair.outside.hairpin = conf.hairpinMode ?? false;
  return pair;
}
