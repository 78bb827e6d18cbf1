/**
 * Where clients send from: the address, and a port that is drawn by chance but
 * is none that is still in use towards the same address.
 * Models: Linux inet_csk / inet_hash_connect: ip_local_port_range, TIME_WAIT
 */
import type { Kernel } from "../../kernel/index.ts";
import { firstAddress } from "../../network/link.ts";
import type { NetworkNamespace } from "../../network/namespace.ts";
import { lookup } from "../../network/route.ts";

const FIRST = 32_768;
const COUNT = 28_232;
const TIME_WAIT_MS = 60_000;

export class SourcePorts {
  private readonly kernel: Kernel;
  private readonly random: (bound: number) => number;
  private readonly usedMs = new Map<string, number>();

  constructor(kernel: Kernel, random: (bound: number) => number) {
    this.kernel = kernel;
    this.random = random;
  }

  /** From an address to another with its port; it is in use from now on. */
  take(from: string, to: string): number {
    const nowMs = this.kernel.now();
    const start = this.random(COUNT);
    for (let i = 0; i < COUNT; i++) {
      const port = FIRST + ((start + i) % COUNT);
      const key = `${from}:${port} > ${to}`;
      const atMs = this.usedMs.get(key) ?? Number.NEGATIVE_INFINITY;
      if (nowMs - atMs < TIME_WAIT_MS) continue;
      this.usedMs.set(key, nowMs);
      return port;
    }
    return FIRST + start;
  }
}

/** The address that a process of the namespace sends from. */
export function sourceFor(
  namespace: NetworkNamespace,
  dst: string,
): string | undefined {
  if (namespace.linkOf(dst)) return dst;
  const route = lookup(namespace.routes, dst);
  const link = namespace.links.get(route?.device ?? "");
  if (route?.source) return route.source;
  if (link && firstAddress(link)) return firstAddress(link);
  // An interface without an address borrows the machine's.
  const eth0 = namespace.links.get("eth0");
  return route && eth0 && firstAddress(eth0);
}
