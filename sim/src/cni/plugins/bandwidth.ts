/**
 * bandwidth: limits what a Pod may send and receive. A chained plugin.
 * Models:     containernetworking/plugins plugins/meta/bandwidth @ v1.9
 * Leaves out: the limiting itself: packets of this world have no volume.
 */

import { sha512Hex } from "../../api/sha2.ts";
import { parseCidr } from "../../network/ip.ts";
import type { Link } from "../../network/link.ts";
import { parseResult } from "../result.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniResult, NetConf } from "../types.ts";
import { versionsFrom } from "../version.ts";
import { openNetns } from "./netns.ts";

interface Limits {
  /** Bits a second; bits. */
  readonly ingressRate?: number;
  readonly ingressBurst?: number;
  readonly egressRate?: number;
  readonly egressBurst?: number;
  readonly unshapedSubnets?: readonly string[];
  readonly shapedSubnets?: readonly string[];
}

type BandwidthConf = NetConf & Limits;

export const bandwidth = plugin<BandwidthConf>({
  name: "bandwidth",
  versions: versionsFrom("0.3.0"),
  add(args) {
    const { result, limits } = parsed(args);
    const { ingressRate, egressRate } = limits;
    if (ingressRate || egressRate) checkSubnets(limits);
    if (!result) throw new Error("must be called as chained plugin");
    if (!ingressRate && !egressRate) return result;
    const outside = hostInterface(args, result);
    if (!egressRate) return result;
    // What the Pod sends is held back on a device of its own.
    const { network } = args.host;
    const made = { name: ifbOf(args), mac: network.mac() };
    network.root.addLink({ ...made, kind: "dummy", mtu: outside.mtu });
    const interfaces = [...(result.interfaces ?? []), made];
    return { ...result, interfaces };
  },
  del(args) {
    parsed(args);
    args.host.network.root.removeLink(ifbOf(args));
  },
  check(args) {
    const { result, limits } = parsed(args);
    if (!result) throw new Error("must be called as a chained plugin");
    hostInterface(args, result);
    const { root } = args.host.network;
    if (!limits.egressRate || root.links.has(ifbOf(args))) return;
    throw new Error("get ifb device: Link not found");
  },
});

function parsed({ conf }: CniArgs<BandwidthConf>) {
  const named = [
    ...["ingressRate", "ingressBurst", "egressRate", "egressBurst"],
    ...["unshapedSubnets", "shapedSubnets"],
  ];
  const own = named.some((name) => name in conf);
  const limits: Limits = own ? conf : (conf.runtimeConfig?.bandwidth ?? {});
  checkPair(limits.ingressRate, limits.ingressBurst);
  checkPair(limits.egressRate, limits.egressBurst);
  return { limits, result: parseResult(conf.prevResult) };
}

function checkPair(rate = 0, burst = 0): void {
  if (rate && !burst) {
    throw new Error("if rate is set, burst must also be set");
  }
  if (burst && !rate) {
    throw new Error("if burst is set, rate must also be set");
  }
  if (Math.floor(burst / 8) >= 2 ** 32 - 1) {
    throw new Error("burst cannot be more than 4GB");
  }
}

function checkSubnets({ unshapedSubnets = [], shapedSubnets = [] }: Limits) {
  if (unshapedSubnets.length > 0 && shapedSubnets.length > 0) {
    throw new Error(
      "unshapedSubnets and shapedSubnets cannot be both specified, one of them should be discarded",
    );
  }
  for (const subnet of [...unshapedSubnets, ...shapedSubnets]) {
    if (parseCidr(subnet)) continue;
    const why = `invalid CIDR address: ${subnet}`;
    throw new Error(`bad subnet "${subnet}" provided, details ${why}`);
  }
}

/** The node's end of the Pod's interface. */
function hostInterface(args: CniArgs, { interfaces = [] }: CniResult): Link {
  const netns = openNetns(args);
  if (interfaces.length === 0) throw new Error("no interfaces provided");
  const outside = netns.links.get(args.ifname)?.peer;
  if (!outside) {
    throw new Error(
      `container interface ${args.ifname} has no veth peer: failed to lookup "${args.ifname}": Link not found`,
    );
  }
  const { name } = outside;
  if (interfaces.some((each) => !each.sandbox && each.name === name)) {
    return outside;
  }
  throw new Error("no veth peer of container interface found in host ns");
}

function ifbOf({ conf, containerId }: CniArgs): string {
  return `bwp${sha512Hex(`${conf.name}${containerId}`, 32)}`.slice(0, 15);
}
