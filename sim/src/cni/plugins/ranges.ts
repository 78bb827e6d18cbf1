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

/** A range whose texts have been read; what is not given is absent. */
export interface RangeInput {
  readonly subnet: Cidr | undefined;
  readonly start: Ip | undefined;
  readonly end: Ip | undefined;
  readonly gateway: Ip | undefined;
}

/** Go's reader throws these before anything is checked. */
export function readRange(conf: RangeConf): RangeInput {
  return {
    subnet: readSubnet(conf.subnet),
    start: readIp(conf.rangeStart),
    end: readIp(conf.rangeEnd),
    gateway: readIp(conf.gateway),
  };
}

function readSubnet(text: string | undefined): Cidr | undefined {
  if (text === undefined) return undefined;
  const cidr = parseCidr(text);
  if (!cidr) throw new Error(`invalid CIDR address: ${text}`);
  return cidr;
}

function readIp(text: string | undefined): Ip | undefined {
  if (!text) return undefined;
  const ip = parseIp(text);
  if (!ip) throw new Error(`invalid IP address: ${text}`);
  return ip;
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
function completeRange(input: RangeInput): Range {
  const { subnet } = input;
  if (!subnet) throw new Error("IP <nil> not v4 nor v6");
  const { family, base, length } = subnet;
  const bits = family === 4 ? 32 : 128;
  if (length > bits - 2) {
    const network = `${formatIp({ family, value: subnet.address })}/${length}`;
    throw new Error(`Network ${network} too small to allocate from`);
  }
  if (subnet.address !== base) {
    throw new Error(
      `Network has host bits set. For a subnet mask of length ${length} the network address is ${formatIp({ family, value: base })}`,
    );
  }
  const gateway = input.gateway?.value ?? base + 1n;
  const { end: given } = input;
  const start = inside(subnet, input.start, "RangeStart", (value) => {
    return !given || value <= given.value;
  });
  const first = start ?? base + 1n;
  const end = inside(subnet, given, "RangeEnd", (value) => value >= first);
  return {
    ...{ subnet, family, gateway },
    ...{ start: first, end: end ?? lastUsable(subnet) },
  };
}

/** Out of its range is told as out of its network. */
function inside(
  subnet: Cidr,
  ip: Ip | undefined,
  what: string,
  inOrder: (value: bigint) => boolean,
): bigint | undefined {
  if (!ip) return undefined;
  if (contains(subnet, ip) && inOrder(ip.value)) return ip.value;
  throw new Error(
    `${what} ${formatIp(ip)} not in network ${formatNetwork(subnet)}`,
  );
}

/** IPv4 keeps the broadcast address; IPv6 has none. */
function lastUsable(subnet: Cidr): bigint {
  return subnet.family === 4 ? lastOf(subnet) - 1n : lastOf(subnet);
}

/** Completes the ranges of a set, which are of one family and apart. */
export function completeSet(inputs: readonly RangeInput[]): RangeSet {
  const set: Range[] = [];
  for (const input of inputs) {
    const range = completeRange(input);
    if (set[0] && range.family !== set[0].family) {
      throw new Error("mixed address families");
    }
    set.push(range);
  }
  if (set.length === 0) throw new Error("empty range set");
  for (const [i, a] of set.entries()) {
    for (const b of set.slice(i + 1)) {
      if (rangesOverlap(a, b)) {
        throw new Error(`subnets ${rangeText(a)} and ${rangeText(b)} overlap`);
      }
    }
  }
  return set;
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
