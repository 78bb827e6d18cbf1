/**
 * ptp: a veth pair and a route for each Pod, no bridge: the node's end is the
 * Pod's gateway.
 * Models: containernetworking/plugins plugins/main/ptp @ v1.9
 */
import type { Link } from "../../network/link.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { execPlugin } from "../exec.ts";
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniInterface, CniIp, CniResult, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import { enableForwarding } from "./addresses.ts";
import { configureInterface } from "./configure.ts";
import { checkExpected } from "./expected.ts";
import { addMasquerade, removeMasquerade } from "./ip-masq.ts";
import { openNetns } from "./netns.ts";

interface PtpConf extends NetConf {
  readonly ipMasq?: boolean;
  /** Bytes. */
  readonly mtu?: number;
  readonly dns?: object;
}

export const ptp = plugin<PtpConf>({
  name: "ptp",
  versions: ALL_VERSIONS,
  add(args) {
    const { conf, host, env } = args;
    const type = conf.ipam?.type ?? "";
    const given = execPlugin(host, type, env, conf);
    if (!given?.ips?.length) {
      throw new Error("IPAM plugin returned missing IP config");
    }
    try {
      return connect(args, given, given.ips);
    } catch (error) {
      execPlugin(host, type, { ...env, CNI_COMMAND: "DEL" }, conf);
      throw error;
    }
  },
  del(args) {
    const { conf, host, env } = args;
    execPlugin(host, conf.ipam?.type ?? "", env, conf);
    const netns = host.network.namespace(args.netns);
    const link = args.netns ? netns?.links.get(args.ifname) : undefined;
    if (!netns || !link) return;
    netns.removeLink(args.ifname);
    if (conf.ipMasq) removeMasquerade(args, link.addresses);
  },
  check,
});

function connect(
  args: CniArgs<PtpConf>,
  given: CniResult,
  ips: readonly CniIp[],
): CniResult {
  const { conf, host, ifname } = args;
  const { network } = host;
  for (const { address } of ips) enableForwarding(network.root, address);
  const netns = openNetns(args);
  const name = network.vethName();
  if (netns.links.has(ifname)) {
    throw new Error(
      `container veth name ("${ifname}") peer provided ("${name}") already exists`,
    );
  }
  const mtu = conf.mtu || 1500;
  const { inside, outside } = network.addVeth(netns, ifname, name, mtu);
  configureInterface(inside, given);
  for (const ip of ips) {
    throughGateway(inside, ip);
    toPod(network.root, outside, ip);
  }
  const interfaces: CniInterface[] = [
    { name, mac: outside.mac },
    { name: ifname, mac: inside.mac, sandbox: args.netns },
  ];
  const numbered = ips.map((ip) => ({ ...ip, interface: 1 }));
  const result = { ...given, ips: numbered, interfaces };
  if (conf.ipMasq) addMasquerade(args, result);
  const { dns = {} } = conf;
  return Object.keys(dns).length > 0 ? { ...result, dns } : result;
}

function alone(ip: string): string {
  return `${ip}/${ip.includes(":") ? 128 : 32}`;
}

/** The subnet lies behind the gateway, and that on the link. */
function throughGateway(inside: Link, { address, gateway }: CniIp): void {
  const { namespace, name: device } = inside;
  const source = address.split("/")[0]!;
  const ofKernel = namespace.routes.find((route) => {
    return route.protocol === "kernel" && route.source === source;
  });
  namespace.routes = namespace.routes.filter((route) => route !== ofKernel);
  if (!gateway || !ofKernel) return;
  const { destination } = ofKernel;
  const onLink = { destination: alone(gateway), scope: "link" } as const;
  namespace.addRoute({ ...onLink, device, source });
  namespace.addRoute({ destination, gateway, device, source });
}

function toPod(root: NetworkNamespace, outside: Link, ip: CniIp): void {
  if (ip.gateway) root.addAddress(outside, alone(ip.gateway));
  const destination = alone(ip.address.split("/")[0]!);
  root.addRoute({ destination, device: outside.name, scope: "host" });
}

function check(args: CniArgs<PtpConf>): void {
  const { conf, host, env, ifname, netns: path } = args;
  const netns = openNetns(args);
  execPlugin(host, conf.ipam?.type ?? "", env, conf);
  const result = parseResult(conf.prevResult);
  if (!result) throw new Error("ptp: Required prevResult missing");
  const known = result.interfaces?.findLast(
    ({ name, sandbox }) => name === ifname && sandbox === path,
  );
  if (!known) {
    throw new Error(
      `Sandbox in prevResult  doesn't match configured netns: ${path}`,
    );
  }
  const link = netns.links.get(ifname);
  if (!link) {
    throw new Error(
      `ptp: Container Interface name in prevResult: ${ifname} not found`,
    );
  }
  if (link.kind !== "veth") {
    throw new Error(
      `Error: Container interface ${ifname} not of type veth/p2p`,
    );
  }
  if (known.mac && known.mac !== link.mac) {
    throw new Error(
      `ptp: Interface ${ifname} Mac ${known.mac} doesn't match container Mac: ${link.mac}`,
    );
  }
  checkExpected(netns, ifname, result);
}
