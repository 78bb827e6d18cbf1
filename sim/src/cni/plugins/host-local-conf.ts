/**
 * What host-local reads from its standard input and from CNI_ARGS.
 * Models: containernetworking/plugins plugins/ipam/host-local/backend/allocator/config.go
 */
import { formatIp, type Ip, parseCidr, parseIp } from "../../network/ip.ts";
import { badArg, loadArgs } from "../args.ts";
import type { CniArgs } from "../spec.ts";
import type { NetConf } from "../types.ts";
import { atLeast } from "../version.ts";
import {
  completeSet,
  type RangeConf,
  type RangeInput,
  type RangeSet,
  readRange,
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

type Sets = readonly (readonly RangeConf[])[];

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
  const { ipam, runtimeConfig } = conf;
  const more = (runtimeConfig?.ipRanges ?? []) as Sets;
  const found = ipam && more.length === 0 ? known.get(ipam) : undefined;
  const inputs = found ? [] : readRanges(ipam ?? {}, more);
  if (!ipam) throw new Error("IPAM config missing 'ipam' key");
  const requested = requestedIps(args, conf);
  const sets = found ?? rangeSets(inputs, conf.cniVersion ?? "");
  if (more.length === 0) known.set(ipam, sets);
  return { dataDir: ipam.dataDir, routes: ipam.routes, sets, requested };
}

/** Those of the runtime first; then the old form, one range at the top. */
function readRanges(ipam: IpamConf, more: Sets) {
  const top = readRange(ipam);
  const read = (sets: Sets = []) => sets.map((set) => set.map(readRange));
  return [...read(more), ...(top.subnet ? [[top]] : []), ...read(ipam.ranges)];
}

function requestedIps({ env }: CniArgs, conf: StdinConf): RequestedIps {
  const requested: RequestedIps = new Map();
  const add = (text: string, failed: (reason: string) => Error) => {
    if (text === "") return;
    const [bare = "", length] = text.split("/");
    const ip = length === undefined || parseCidr(text) ? parseIp(bare) : null;
    if (!ip) throw failed(`invalid IP address ${text}`);
    requested.set(formatIp(ip), ip);
  };
  const plain = (reason: string) => new Error(reason);
  // Go has read all of the configuration before it looks at CNI_ARGS.
  for (const text of conf.args?.cni?.ips ?? []) add(text, plain);
  for (const text of conf.runtimeConfig?.ips ?? []) add(text, plain);
  const { IP = "" } = loadArgs(env.CNI_ARGS, ["IP"]);
  add(IP, (reason) => badArg("IP", IP, reason));
  return requested;
}

function rangeSets(
  inputs: readonly (readonly RangeInput[])[],
  version: string,
): readonly RangeSet[] {
  if (inputs.length === 0) throw new Error("no IP ranges specified");
  const sets = inputs.map((ranges, index) => {
    try {
      return completeSet(ranges);
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
