/**
 * Addresses and networks in fields: how they are read, and what is wrong with
 * one that cannot be or that others would read in another way.
 * Models:     apimachinery/pkg/util/validation/ip.go, ValidateNonSpecialIP of
 *             pkg/apis/core/validation/validation.go, k8s.io/utils/net @ v1.36
 * Leaves out: values that old objects have and may keep.
 */
import { type FieldError, invalid } from "./field-error.ts";

/** Bytes of an address: 4 or 16. */
type Ip = readonly number[];

/** Leading zeros are read over, as upstream does; undefined if it is none. */
export function parseIp(text: string): Ip | undefined {
  const ip = text.includes(":") ? parseIpv6(text) : parseIpv4(text);
  return ip && isMapped(ip) ? ip.slice(12) : ip;
}

export function isIpv6(text: string): boolean {
  return parseIp(text)?.length === 16;
}

function isMapped(ip: Ip): boolean {
  return (
    ip.length === 16 &&
    ip.slice(0, 10).every((byte) => byte === 0) &&
    ip[10] === 255 &&
    ip[11] === 255
  );
}

function parseIpv4(text: string): Ip | undefined {
  const parts = text.split(".");
  const good = parts.every((part) => /^\d+$/.test(part) && Number(part) < 256);
  return parts.length === 4 && good ? parts.map(Number) : undefined;
}

function parseIpv6(text: string): Ip | undefined {
  const halves = text.split("::").map(groupsOf);
  const [head, tail] = halves;
  if (!head || halves.length > 2 || (halves.length === 2 && !tail)) return;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (tail ? missing < 2 : missing !== 0) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...(tail ?? [])];
}

function groupsOf(text: string): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [i, group] of groups.entries()) {
    const last = i === groups.length - 1 && group.includes(".");
    const v4 = last ? parseIpv4(group) : undefined;
    if (v4) bytes.push(...v4);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const number = Number.parseInt(group, 16);
      bytes.push(number >> 8, number & 255);
    } else return undefined;
  }
  return bytes;
}

const leadingZero = /(^|\.|:)0\d+(?=\.|$)/;

export function ipErrors(value: string, path: string): FieldError[] {
  const why = ipProblem(value);
  return why ? [invalid(path, value, why)] : [];
}

function ipProblem(value: string): string {
  if (!parseIp(value)) {
    return "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  }
  if (leadingZero.test(value)) return "must not have leading 0s";
  const mapped = value.includes(":") && !isIpv6(value);
  return mapped ? "must not be an IPv4-mapped IPv6 address" : "";
}

/** Addresses that lead nowhere from another machine. */
export function specialIpErrors(value: string, path: string): FieldError[] {
  const ip = parseIp(value);
  if (!ip) return [invalid(path, value, "must be a valid IP address")];
  const [first = 0, second = 0] = ip;
  const six = ip.length === 16;
  const zeros = ip.slice(0, -1).every((byte) => byte === 0);
  const wrong = (is: boolean, why: string) =>
    is ? [invalid(path, value, why)] : [];
  return [
    ...wrong(zeros && ip.at(-1) === 0, `may not be unspecified (${value})`),
    ...wrong(
      six ? zeros && ip.at(-1) === 1 : first === 127,
      "may not be in the loopback range (127.0.0.0/8, ::1/128)",
    ),
    ...wrong(
      six
        ? first === 0xfe && (second & 0xc0) === 0x80
        : first === 169 && second === 254,
      "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
    ),
    ...wrong(
      six
        ? first === 0xff && (second & 0x0f) === 2
        : first === 224 && second === 0 && ip[2] === 0,
      "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
    ),
  ];
}

interface Cidr {
  readonly ip: Ip;
  readonly bits: number;
}

function parseCidr(text: string): Cidr | undefined {
  const slash = text.lastIndexOf("/");
  const length = text.slice(slash + 1);
  const address = text.slice(0, Math.max(slash, 0));
  const ip = parseIp(address);
  if (!ip || !/^\d+$/.test(length)) return undefined;
  // A mapped address has its length counted from the IPv6 one.
  const mapped = address.includes(":") && ip.length === 4;
  const bits = Number(length) - (mapped ? 96 : 0);
  return bits >= 0 && bits <= ip.length * 8 ? { ip, bits } : undefined;
}

export function cidrErrors(value: string, path: string): FieldError[] {
  const why = cidrProblem(value);
  return why ? [invalid(path, value, why)] : [];
}

function cidrProblem(value: string): string {
  const cidr = parseCidr(value);
  if (!cidr) {
    return "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
  }
  const [address = "", length = ""] = value.split("/");
  if (leadingZero.test(address) || /^0\d/.test(length)) {
    return "must not have leading 0s in IP or prefix length";
  }
  if (address.includes(":") && cidr.ip.length === 4) {
    return "must not have an IPv4-mapped IPv6 address";
  }
  return isBase(cidr) ? "" : "must not have bits set beyond the prefix length";
}

/** Is a network a part of another, and not all of it? */
export function isWithin(
  inner: string,
  outer: string,
): "yes" | "no" | "no inner" | "no outer" {
  const [part, whole] = [parseCidr(inner), parseCidr(outer)];
  if (!whole) return "no outer";
  if (!part) return "no inner";
  const inside =
    part.ip.length === whole.ip.length &&
    part.bits > whole.bits &&
    whole.ip.every((byte, i) => {
      const mask = maskAt(i, whole.bits);
      return (byte & mask) === ((part.ip[i] ?? 0) & mask);
    });
  return inside ? "yes" : "no";
}

function isBase({ ip, bits }: Cidr): boolean {
  return ip.every((byte, i) => (byte & ~maskAt(i, bits)) === 0);
}

/** The mask's byte number `i`. */
function maskAt(i: number, bits: number): number {
  const ones = Math.min(Math.max(bits - i * 8, 0), 8);
  return (255 << (8 - ones)) & 255;
}
