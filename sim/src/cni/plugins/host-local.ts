/**
 * host-local: gives out addresses of a subnet that belongs to this node
 * alone. One file an address under dataDir says who has it; the search goes
 * on after the address given last, so that a freed one is not taken at once.
 * Models: containernetworking/plugins plugins/ipam/host-local @ v1.9
 * Try:    let the search begin at the start of the range each time, and see
 *         how soon an address comes back.
 */
import { formatIp, type Ip, parseIp } from "../../network/ip.ts";
import { type CniArgs, plugin } from "../spec.ts";
import type { CniIp, CniRoute, NetConf } from "../types.ts";
import { ALL_VERSIONS } from "../version.ts";
import {
  type HostLocalConf,
  type RequestedIps,
  readConf,
} from "./host-local-conf.ts";
import { AddressStore } from "./host-local-store.ts";
import { type Range, type RangeSet, rangeOf, setText } from "./ranges.ts";

export const hostLocal = plugin<NetConf>({
  name: "host-local",
  versions: ALL_VERSIONS,
  add(args) {
    const conf = readConf(args);
    const ips = allocateAll(args, conf);
    return { ips, routes: conf.routes as readonly CniRoute[] | undefined };
  },
  del(args) {
    const conf = readConf(args);
    storeOf(args, conf).release(args.containerId, args.ifname);
  },
  check(args) {
    const store = storeOf(args, readConf(args));
    if (store.ownedBy(args.containerId, args.ifname).length > 0) return;
    throw new Error(
      `host-local: Failed to find address added by container ${args.containerId}`,
    );
  },
});

function storeOf(args: CniArgs, conf: HostLocalConf): AddressStore {
  const folder = conf.dataDir || "/var/lib/cni/networks";
  return new AddressStore(args.host.disk, `${folder}/${args.conf.name}`);
}

/** One address of every range set, or none at all. */
function allocateAll(args: CniArgs, conf: HostLocalConf): CniIp[] {
  const store = storeOf(args, conf);
  const given: CniIp[] = [];
  const wanted = conf.requested;
  // What is taken back is all that the container has, older ones too.
  const takeBack = () => {
    if (given.length > 0) store.release(args.containerId, args.ifname);
  };
  for (const [index, set] of conf.sets.entries()) {
    try {
      given.push(allocate(args, store, set, index, wanted));
    } catch (error) {
      takeBack();
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`failed to allocate for range ${index}: ${message}`);
    }
  }
  if (wanted.size > 0) {
    takeBack();
    const rest = [...wanted.keys()].join(" ");
    throw new Error(`failed to allocate all requested IPs: ${rest}`);
  }
  return given;
}

function allocate(
  args: CniArgs,
  store: AddressStore,
  set: RangeSet,
  index: number,
  wanted: RequestedIps,
): CniIp {
  const { containerId, ifname } = args;
  const reserve = (ip: string) => store.reserve(containerId, ifname, ip, index);
  for (const [text, ip] of wanted) {
    const range = rangeOf(set, ip);
    if (!range) continue;
    wanted.delete(text);
    if (ip.value === range.gateway) {
      throw new Error(`requested ip ${text} is subnet's gateway`);
    }
    if (reserve(text)) return answer(text, range);
    throw new Error(
      `requested IP address ${text} is not available in range set ${setText(set)}`,
    );
  }
  const own = store.ownedBy(containerId, ifname);
  const mine = own.find((text) => rangeOf(set, parseIp(text)!));
  if (mine) {
    throw new Error(
      `${mine} has been allocated to ${containerId}, duplicate allocation is not allowed`,
    );
  }
  for (const [ip, range] of candidates(set, store.lastReserved(index))) {
    const text = formatIp(ip);
    if (reserve(text)) return answer(text, range);
  }
  throw new Error(`no IP addresses available in range set: ${setText(set)}`);
}

function answer(ip: string, range: Range): CniIp {
  const address = `${ip}/${range.subnet.length}`;
  const { family, gateway: value } = range;
  return { address, gateway: formatIp({ family, value }) };
}

/** Every address of the set once, from the one after `last` on, wrapping. */
function* candidates(
  set: RangeSet,
  last: Ip | undefined,
): Iterable<[Ip, Range]> {
  const from = last && rangeOf(set, last);
  let at = from ? set.indexOf(from) : 0;
  let value = from ? last.value : undefined;
  let first: bigint | undefined;
  for (;;) {
    let range = set[at]!;
    if (value === undefined) value = range.start;
    else if (value !== range.end) value++;
    else {
      at = (at + 1) % set.length;
      range = set[at]!;
      value = range.start;
    }
    if (first === undefined) first = value;
    else if (value === first) return;
    if (value !== range.gateway) yield [{ family: range.family, value }, range];
  }
}
