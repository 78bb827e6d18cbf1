/**
 * IP addresses and prefixes as text and as numbers. Text is what objects,
 * rules and files hold; numbers are only for counting and comparing.
 * Models: Go's net.IP, net.IPNet as the CNI plugins use them.
 */
import { flat } from "../kernel/flat.ts";

export type Family = 4 | 6;

export interface Ip {
  readonly family: Family;
  readonly value: bigint;
}

/** A prefix: the address as written, and the network it lies in. */
export interface Cidr {
  readonly family: Family;
  /** The address as written, host bits included. */
  readonly address: bigint;
  /** The address with the host bits cleared. */
  readonly base: bigint;
  readonly length: number;
}

export function bitsOf(family: Family): number {
  return family === 4 ? 32 : 128;
}

/** Reads `10.0.0.1` or `fd00::1`; undefined if it is neither. */
export function parseIp(text: string): Ip | undefined {
  const value = text.includes(":") ? parseV6(text) : parseV4(text);
  if (value === undefined) return undefined;
  return { family: text.includes(":") ? 6 : 4, value };
}

export function formatIp(ip: Ip): string {
  return ip.family === 4 ? formatV4(Number(ip.value)) : formatV6(ip.value);
}

const known = new Map<string, Cidr>();

/** Reads `10.0.0.0/8`; undefined if it is not a prefix. */
export function parseCidr(text: string): Cidr | undefined {
  const found = known.get(text);
  if (found) return found;
  const slash = text.indexOf("/");
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (!ip || !/^\d{1,3}$/.test(digits)) return undefined;
  const length = Number(digits);
  if (length > bitsOf(ip.family)) return undefined;
  const base = ip.value & maskOf(ip.family, length);
  const cidr = { family: ip.family, address: ip.value, base, length };
  // The same few subnets come again and again; the cache stays small.
  if (known.size > 10_000) known.clear();
  known.set(text, cidr);
  return cidr;
}

/** `10.0.0.0/8`: the network, without the host bits. */
export function formatNetwork(cidr: Cidr): string {
  const { family, base, length } = cidr;
  return flat(`${formatIp({ family, value: base })}/${length}`);
}

export function contains(cidr: Cidr, ip: Ip): boolean {
  if (cidr.family !== ip.family) return false;
  return (ip.value & maskOf(ip.family, cidr.length)) === cidr.base;
}

/** True if the address, as text, lies in the prefix, as text. */
export function inCidr(address: string, prefix: string): boolean {
  const ip = parseIp(address);
  const cidr = parseCidr(prefix);
  return ip !== undefined && cidr !== undefined && contains(cidr, ip);
}

const MASKS = { 4: masks(32), 6: masks(128) } as const;

export function maskOf(family: Family, length: number): bigint {
  return MASKS[family][length]!;
}

function masks(bits: number): readonly bigint[] {
  const all = (1n << BigInt(bits)) - 1n;
  return Array.from({ length: bits + 1 }, (_, length) => {
    return (all << BigInt(bits - length)) & all;
  });
}

/** Last address of the network: the broadcast address in IPv4. */
export function lastOf(cidr: Cidr): bigint {
  const host = BigInt(bitsOf(cidr.family) - cidr.length);
  return cidr.base | ((1n << host) - 1n);
}

function parseV4(text: string): bigint | undefined {
  let value = 0;
  let byte = -1;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && byte >= 0 && ++dots < 4) {
      value = value * 256 + byte;
      byte = -1;
    } else if (code >= ZERO && code <= ZERO + 9 && byte !== 0) {
      byte = (byte < 0 ? 0 : byte * 10) + code - ZERO;
      if (byte > 255) return undefined;
    } else return undefined;
  }
  if (dots !== 3 || byte < 0) return undefined;
  return BigInt(value * 256 + byte);
}

const DOT = 46;
const ZERO = 48;

function formatV4(value: number): string {
  const [high, low] = [value >>> 16, value & 65535];
  return flat(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = (half: string) => (half === "" ? [] : half.split(":"));
  const head = groups(halves[0]!);
  const tail = groups(halves[1] ?? "");
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...new Array<string>(missing).fill("0"), ...tail];
  let value = 0n;
  for (const group of all) {
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    value = (value << 16n) | BigInt(Number.parseInt(group, 16));
  }
  return value;
}

/** RFC 5952: lower case, the longest run of zeros as `::`. */
function formatV6(value: bigint): string {
  const groups: string[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n) {
    groups.push(((value >> shift) & 0xffffn).toString(16));
  }
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at++) {
    let length = 0;
    while (groups[at + length] === "0") length++;
    if (length > best.length) best = { at, length };
  }
  if (best.at < 0) return groups.join(":");
  const head = groups.slice(0, best.at).join(":");
  return `${head}::${groups.slice(best.at + best.length).join(":")}`;
}
