/**
 * static: gives the addresses that stand in its configuration, or those that
 * are asked for. For tests, and for networks where others plan the addresses.
 * Models: containernetworking/plugins plugins/ipam/static @ v1.9
 */
import { parseCidr } from "../../network/ip.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniIp, CniRoute, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";

interface StaticConf extends NetConf {
  readonly ipam?: {
    readonly type?: string;
    readonly addresses?: readonly CniIp[];
    readonly routes?: readonly CniRoute[];
    readonly dns?: object;
  };
}

export const staticIpam = plugin<StaticConf>({
  name: "static",
  versions: ALL_VERSIONS,
  add(args) {
    const { routes, dns } = args.conf.ipam ?? {};
    const { address, gateway } = take(args);
    const ip = { address, ...(gateway ? { gateway } : {}) };
    return { ips: [ip], routes, dns };
  },
  del: giveBack,
  check(args) {
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
  },
});

/** One file an address, with the id of the container that has it. */
function folderOf({ conf }: CniArgs<StaticConf>): string {
  return `/var/lib/cni/pool/${conf.name}`;
}

/** The first address of the list that nobody has. */
function take(args: CniArgs<StaticConf>): CniIp {
  const { disk } = args.host;
  for (const ip of addressesOf(args)) {
    const path = `${folderOf(args)}/${ip.address.split("/")[0]}`;
    if (disk.exists(path)) continue;
    disk.write(path, args.containerId);
    return ip;
  }
  throw new Error("no free address in the list");
}

/** Nothing to give back is no error: the runtime may call twice. */
function giveBack(args: CniArgs<StaticConf>): void {
  const { disk } = args.host;
  const folder = folderOf(args);
  for (const [name, owner] of [...disk.entries(folder)]) {
    if (owner === args.containerId) disk.remove(`${folder}/${name}`);
  }
}

function addressesOf({ conf, env }: CniArgs<StaticConf>): readonly CniIp[] {
  if (!conf.ipam) throw new Error("IPAM config missing 'ipam' key");
  const asked = conf.runtimeConfig?.ips?.map((address) => ({ address }));
  const pairs = (env.CNI_ARGS ?? "").split(";");
  const text = pairs.find((pair) => pair.startsWith("IP="))?.slice(3);
  const byArgs = text?.split(",").map((address) => ({ address }));
  const all = asked ?? byArgs ?? conf.ipam.addresses ?? [];
  const bad = all.find(({ address }) => !parseCidr(address));
  if (bad) throw new Error(`invalid CIDR address: ${bad.address}`);
  return all;
}
