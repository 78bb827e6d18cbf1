/**
 * static: gives the addresses that stand in its configuration, or those that
 * are asked for. For tests, and for networks where others plan the addresses.
 * Models: containernetworking/plugins plugins/ipam/static @ v1.9
 */
import { inCidr, parseCidr, parseIp } from "../../network/ip.ts";
import { loadArgs } from "../args.ts";
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
  readonly args?: { readonly cni?: { readonly ips?: readonly string[] } };
}

export const staticIpam = plugin<StaticConf>({
  name: "static",
  versions: ALL_VERSIONS,
  add(args) {
    const { routes, dns } = args.conf.ipam ?? {};
    const ips = addressesOf(args).map(({ address, gateway }) => ({
      address,
      ...(gateway ? { gateway } : {}),
    }));
    return { ips, routes, dns };
  },
  del() {},
  check(args) {
    if (!args.conf.prevResult) throw new Error("Required prevResult missing");
  },
});

function addressesOf({ conf, env }: CniArgs<StaticConf>): readonly CniIp[] {
  if (!conf.ipam) throw new Error("IPAM config missing 'ipam' key");
  const { IP, GATEWAY } = loadArgs(env.CNI_ARGS, ["IP", "GATEWAY"]);
  const byArgs = wordsOf(IP).map((address) => {
    if (parseCidr(address)) return { address };
    const why = `invalid CIDR address: ${address}`;
    throw new Error(`invalid CIDR ${address}: ${why}`);
  });
  const own = [...(conf.ipam.addresses ?? []), ...byArgs];
  const planned = own.map((ip) => withGateway(ip, wordsOf(GATEWAY)));
  // Whoever asks for addresses gets them instead of those planned.
  const wishes = [conf.runtimeConfig?.ips, conf.args?.cni?.ips];
  const asked = wishes
    .find((ips) => ips?.length)
    ?.map((address) => {
      if (parseCidr(address)) return { address };
      const rule = "an entry in the 'ips' field is NOT in CIDR notation";
      throw new Error(`${rule}, got: ${address}`);
    });
  const bad = (asked ?? planned).find(({ address }) => !parseCidr(address));
  if (!bad) return asked ?? planned;
  const rule = "the 'address' field is expected to be in CIDR notation";
  throw new Error(`${rule}, got: '${bad.address}'`);
}

function wordsOf(text = ""): string[] {
  return text === "" ? [] : text.split(",").map((word) => word.trim());
}

/** The gateway of those given in whose subnet it is. */
function withGateway(ip: CniIp, gateways: readonly string[]): CniIp {
  const bad = gateways.find((each) => !parseIp(each));
  if (bad !== undefined) throw new Error(`invalid gateway address: ${bad}`);
  const gateway = gateways.findLast((each) => inCidr(each, ip.address));
  return gateway === undefined ? ip : { ...ip, gateway };
}
