/**
 * Addresses of Services. A new one comes at random from the upper part of the
 * range; the lower part is left to those who ask for a certain address.
 * Models:     pkg/registry/core/service/ipallocator/{bitmap,ipallocator}.go
 * Leaves out: IPv6, IPAddress objects, several ranges.
 */
import type { Random } from "../../../kernel/index.ts";

/** Addresses below this offset are given out last. Source: bitmap.go */
export function dynamicOffset(size: number): number {
  const least = 16;
  if (size <= least) return 0;
  return Math.min(Math.max(least, Math.floor(size / 16)), 256);
}

export class IpAllocator {
  /** First usable address and how many there are. */
  private readonly first: number;
  private readonly size: number;
  private readonly taken = new Set<number>();
  private readonly random: Random;

  constructor(cidr: string, random: Random) {
    const { base, size } = parseCidr(cidr);
    this.first = base + 1;
    this.size = size - 2;
    this.random = random;
  }

  /** Takes a free address; undefined if there is none. */
  next(): string | undefined {
    const offset = dynamicOffset(this.size);
    const at =
      this.freeIn(offset, this.size) ??
      this.freeIn(0, Math.min(offset, this.size));
    if (at === undefined) return undefined;
    this.taken.add(at);
    return textOf(this.first + at);
  }

  /** From a random place on, the first free one. */
  private freeIn(from: number, end: number): number | undefined {
    const width = end - from;
    if (width <= 0) return undefined;
    const start = this.random.int(width);
    for (let i = 0; i < width; i++) {
      const at = from + ((start + i) % width);
      if (!this.taken.has(at)) return at;
    }
    return undefined;
  }

  /** Takes this address; tells why not, in upstream's words. */
  take(address: string): string | undefined {
    const at = this.placeOf(address);
    if (at === undefined) {
      return "the provided network does not match the current range";
    }
    if (this.taken.has(at)) return "provided IP is already allocated";
    this.taken.add(at);
    return undefined;
  }

  /** Marks an address that is in use, whoever gave it out. */
  mark(address: string): void {
    const at = this.placeOf(address);
    if (at !== undefined) this.taken.add(at);
  }

  release(address: string): void {
    const at = this.placeOf(address);
    if (at !== undefined) this.taken.delete(at);
  }

  private placeOf(address: string): number | undefined {
    const number = numberOf(address);
    if (number === undefined) return undefined;
    const at = number - this.first;
    return at >= 0 && at < this.size ? at : undefined;
  }
}

/** `10.96.0.1` of `10.96.0.0/12`: the API server's own Service. */
export function firstAddress(cidr: string): string {
  return textOf(parseCidr(cidr).base + 1);
}

function parseCidr(cidr: string): { base: number; size: number } {
  const [address = "", bits = "32"] = cidr.split("/");
  const size = 2 ** (32 - Number(bits));
  const number = numberOf(address) ?? 0;
  return { base: number - (number % size), size };
}

export function numberOf(address: string): number | undefined {
  const parts = address.split(".").map(Number);
  const good = parts.every((p) => Number.isInteger(p) && p >= 0 && p < 256);
  if (parts.length !== 4 || !good) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

function textOf(number: number): string {
  const parts = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
  return parts.join(".");
}
