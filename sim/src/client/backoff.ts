/**
 * Wait between tries of a client that cannot reach its server: 0.8 s,
 * doubling to 30 s, each up to twice as long by chance so that clients
 * spread; back to 0.8 s after 2 minutes without need.
 * Models: client-go/tools/cache/reflector.go, apimachinery/pkg/util/wait
 *         @ v1.36
 */
import type { Kernel, Random } from "../kernel/index.ts";

const FIRST_MS = 800;
const MAX_MS = 30_000;
const RESET_MS = 120_000;

export class Backoff {
  private readonly kernel: Kernel;
  private readonly random: Random;
  private baseMs = FIRST_MS;
  private lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(kernel: Kernel, random: Random) {
    this.kernel = kernel;
    this.random = random;
  }

  /** How long to wait now, in ms. */
  next(): number {
    const now = this.kernel.now();
    if (now - this.lastAtMs > RESET_MS) this.baseMs = FIRST_MS;
    this.lastAtMs = now;
    const waitMs = this.baseMs * (1 + this.random.float());
    this.baseMs = Math.min(this.baseMs * 2, MAX_MS);
    return waitMs;
  }
}
