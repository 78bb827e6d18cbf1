/**
 * What host-local reads from its standard input and from CNI_ARGS.
 * Models: containernetworking/plugins plugins/ipam/host-local/backend/allocator/config.go
 */
import { type Ip, parseIp } from "../../network/ip.ts";
import type { CniArgs } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { atLeast } from "../version.ts";
import {
  checkSet,
  completeRange,
  type RangeConf,
  type RangeSet,
  setsOverlap,
} from "./ranges.ts";

interface IpamConf extends RangeConf {
  readonly type?: string;
  readonly dataDir?: string;
  readonly ranges?: readonly (readonly RangeConf[])[];
  readonly routes?: readonly object[];
}

interface StdinConf extends NetConf {
  readonly ipam?: IpamConf;
  readonly args?: { readonly cni?: { readonly ips?: readonly string[] } };
}

/** Addresses that somebody asked for, by their text. */
export type RequestedIps = Map<string, Ip>;

export interface HostLocalConf {
  readonly dataDir?: string;
  readonly routes?: readonly object[];
  readonly sets: readonly RangeSet[];
  readonly requested: RequestedIps;
}

/** Range sets of a configuration object, worked out once. */
const known = new WeakMap<IpamConf, readonly RangeSet[]>();

/** Throws what the plugin answers to a configuration that is wrong. */
export function readConf(args: CniArgs): HostLocalConf {
  const conf = args.conf as StdinConf;
  const { ipam } = conf;
  if (!ipam) throw new Error("IPAM config missing 'ipam' key");
  const requested = requestedIps(args, conf);
  let sets = known.get(ipam);
  if (!sets) {
    sets = rangeSets(ipam, conf.cniVersion ?? "0.1.0");
    known.set(ipam, sets);
  }
  return { dataDir: ipam.dataDir, routes: ipam.routes, sets, requested };
}

function requestedIps(args: CniArgs, conf: StdinConf): RequestedIps {
  const pairs = (args.env.CNI_ARGS ?? "").split(";");
  const fromArgs = pairs.filter((pair) => pair.startsWith("IP="));
  const texts = [
    ...fromArgs.map((pair) => pair.slice(3)).filter((text) => text !== ""),
    ...(conf.args?.cni?.ips ?? []),
    ...(conf.runtimeConfig?.ips ?? []),
  ];
  const requested: RequestedIps = new Map();
  for (const text of texts) {
    const bare = text.split("/")[0]!;
    const ip = parseIp(bare);
    if (!ip) throw new Error(`invalid IP address: ${text}`);
    requested.set(bare, ip);
  }
  return requested;
}

function rangeSets(ipam: IpamConf, version: string): readonly RangeSet[] {
  const confs: (readonly RangeConf[])[] = [...(ipam.ranges ?? [])];
  // The old form has one range at the top; it comes first.
  if (ipam.subnet) confs.unshift([ipam]);
  if (confs.length === 0) throw new Error("no IP ranges specified");
  const sets = confs.map((ranges, index) => {
    try {
      const set = ranges.map(completeRange);
      checkSet(set);
      return set;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`invalid range set ${index}: ${message}`);
    }
  });
  checkFamilies(sets, version);
  for (const [i, a] of sets.entries()) {
    for (const [offset, b] of sets.slice(i + 1).entries()) {
      if (!setsOverlap(a, b)) continue;
      throw new Error(`range set ${i} overlaps with ${i + 1 + offset}`);
    }
  }
  return sets;
}

/** Versions before 0.3 have room for one address of each family. */
function checkFamilies(sets: readonly RangeSet[], version: string): void {
  if (atLeast(version, "0.3.0")) return;
  for (const family of [4, 6]) {
    const many = sets.filter((set) => set[0]?.family === family).length > 1;
    if (!many) continue;
    throw new Error(
      `CNI version ${version} does not support more than 1 address per family`,
    );
  }
}
