/**
 * Ranges of addresses that host-local may give out: filling in what the
 * configuration leaves open, and checking it.
 * Models: containernetworking/plugins plugins/ipam/host-local/backend/allocator/range.go
 */
import {
  type Cidr,
  contains,
  type Family,
  formatIp,
  formatNetwork,
  type Ip,
  lastOf,
  parseCidr,
  parseIp,
} from "../../network/ip.ts";

/** As in the configuration. */
export interface RangeConf {
  readonly subnet?: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
  readonly gateway?: string;
}

export interface Range {
  readonly subnet: Cidr;
  readonly family: Family;
  /** Inclusive. */
  readonly start: bigint;
  /** Inclusive. */
  readonly end: bigint;
  readonly gateway: bigint;
}

/** Ranges of which a container gets one address. */
export type RangeSet = readonly Range[];

/** Completes a range: gateway is the first address unless it is given. */
export function completeRange(conf: RangeConf): Range {
  const subnet = parseCidr(conf.subnet ?? "");
  if (!subnet) throw new Error(`invalid CIDR address: ${conf.subnet ?? ""}`);
  const { family, base, length } = subnet;
  const bits = family === 4 ? 32 : 128;
  const network = formatNetwork(subnet);
  if (length > bits - 2) {
    throw new Error(`Network ${network} too small to allocate from`);
  }
  if (subnet.address !== base) {
    throw new Error(
      `Network has host bits set. For a subnet mask of length ${length} the network address is ${formatIp({ family, value: base })}`,
    );
  }
  const gateway = conf.gateway ? addressOf(conf.gateway) : base + 1n;
  const start = inside(subnet, conf.rangeStart, "RangeStart") ?? base + 1n;
  const end = inside(subnet, conf.rangeEnd, "RangeEnd") ?? lastUsable(subnet);
  return { subnet, family, start, end, gateway };
}

function inside(
  subnet: Cidr,
  text: string | undefined,
  what: string,
): bigint | undefined {
  if (!text) return undefined;
  const value = addressOf(text);
  if (!contains(subnet, { family: subnet.family, value })) {
    throw new Error(`${what} ${text} not in network ${formatNetwork(subnet)}`);
  }
  return value;
}

function addressOf(text: string): bigint {
  const ip = parseIp(text);
  if (!ip) throw new Error(`invalid IP address: ${text}`);
  return ip.value;
}

/** IPv4 keeps the broadcast address; IPv6 has none. */
function lastUsable(subnet: Cidr): bigint {
  return subnet.family === 4 ? lastOf(subnet) - 1n : lastOf(subnet);
}

/** Checks that all ranges of a set are of one family and apart. */
export function checkSet(set: RangeSet): void {
  const first = set[0];
  if (!first) throw new Error("empty range set");
  for (const range of set) {
    if (range.family !== first.family) {
      throw new Error("mixed address families");
    }
  }
  for (const [i, a] of set.entries()) {
    for (const b of set.slice(i + 1)) {
      if (rangesOverlap(a, b)) {
        throw new Error(`subnets ${rangeText(a)} and ${rangeText(b)} overlap`);
      }
    }
  }
}

export function setsOverlap(a: RangeSet, b: RangeSet): boolean {
  return a.some((one) => b.some((other) => rangesOverlap(one, other)));
}

function rangesOverlap(a: Range, b: Range): boolean {
  return a.family === b.family && a.start <= b.end && b.start <= a.end;
}

export function rangeOf(set: RangeSet, ip: Ip): Range | undefined {
  return set.find((range) => inRange(range, ip));
}

function inRange(range: Range, { family, value }: Ip): boolean {
  return family === range.family && value >= range.start && value <= range.end;
}

/** `10.9.0.1-10.9.0.6,10.9.1.1-10.9.1.2` */
export function setText(set: RangeSet): string {
  return set.map(rangeText).join(",");
}

function rangeText({ family, start, end }: Range): string {
  return `${formatIp({ family, value: start })}-${formatIp({ family, value: end })}`;
}
