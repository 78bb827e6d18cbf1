/**
 * Nodes that are to be tainted NoExecute, at a limited rate.
 * Models: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go @ v1.36
 */
import type { Kernel } from "../../kernel/index.ts";

export class TaintQueue {
  private readonly kernel: Pick<Kernel, "now">;
  /** Nodes in the order of their turn. */
  private readonly waiting = new Set<string>();
  /** Nodes that were handled and are not to be added again. */
  private readonly known = new Set<string>();
  private perSecond: number;
  private tokens = 1;
  private tokensAtMs = 0;

  constructor(kernel: Pick<Kernel, "now">, perSecond: number) {
    this.kernel = kernel;
    this.perSecond = perSecond;
  }

  /** False if it is known already. */
  add(node: string): boolean {
    if (this.known.has(node)) return false;
    this.known.add(node);
    this.waiting.add(node);
    return true;
  }

  /** The Node may be added again. */
  forget(node: string): void {
    if (!this.waiting.has(node)) this.known.delete(node);
  }

  /** The Node is well, or gone. */
  remove(node: string): boolean {
    this.waiting.delete(node);
    return this.known.delete(node);
  }

  /** A new rate; a turn that was not due stays so. */
  setRate(perSecond: number): void {
    const free = this.take();
    this.perSecond = perSecond;
    this.tokens = free ? 1 : 0;
    this.tokensAtMs = this.kernel.now();
  }

  /** The Node whose turn it is, if the rate allows one now. */
  next(): string | undefined {
    const [node] = this.waiting;
    if (node === undefined || !this.take()) return undefined;
    this.waiting.delete(node);
    return node;
  }

  /** It could not be handled: comes again at the end. */
  retry(node: string): void {
    if (this.known.has(node)) this.waiting.add(node);
  }

  private take(): boolean {
    const now = this.kernel.now();
    const earned = ((now - this.tokensAtMs) / 1000) * this.perSecond;
    this.tokens = Math.min(1, this.tokens + earned);
    this.tokensAtMs = now;
    if (this.tokens < 1 || this.perSecond <= 0) return false;
    this.tokens -= 1;
    return true;
  }
}
