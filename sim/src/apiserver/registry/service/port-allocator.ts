/**
 * Node ports: 30000 to 32767, dynamic ones from the upper part.
 * Models: pkg/registry/core/service/{portallocator,allocator/bitmap.go} @ v1.36
 */
import type { Random } from "../../../kernel/index.ts";

export const NODE_PORT_FIRST = 30000;
export const NODE_PORT_LAST = 32767;
const SIZE = NODE_PORT_LAST - NODE_PORT_FIRST + 1;
/** Ports below this offset are given out last: min(max(16, size/32), 128). */
const RESERVED = Math.min(Math.max(16, Math.floor(SIZE / 32)), 128);

export class PortAllocator {
  private readonly taken = new Set<number>();
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** Takes a free port; undefined if all are in use. */
  next(): number | undefined {
    const at = this.freeIn(RESERVED, SIZE) ?? this.freeIn(0, RESERVED);
    if (at === undefined) return undefined;
    this.taken.add(NODE_PORT_FIRST + at);
    return NODE_PORT_FIRST + at;
  }

  private freeIn(from: number, end: number): number | undefined {
    const width = end - from;
    const start = this.random.int(width);
    for (let i = 0; i < width; i++) {
      const at = from + ((start + i) % width);
      if (!this.taken.has(NODE_PORT_FIRST + at)) return at;
    }
    return undefined;
  }

  /** Takes this port; tells why not, in upstream's words. */
  take(port: number): string | undefined {
    if (port < NODE_PORT_FIRST || port > NODE_PORT_LAST) {
      return `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_FIRST}-${NODE_PORT_LAST}`;
    }
    if (this.taken.has(port)) return "provided port is already allocated";
    this.taken.add(port);
    return undefined;
  }

  mark(port: number): void {
    this.taken.add(port);
  }

  release(port: number): void {
    this.taken.delete(port);
  }
}
