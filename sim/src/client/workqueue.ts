/**
 * The queue between watch events and workers. It holds keys, not events: ten
 * changes of one object while it waits are one entry, and a key is never in
 * the hands of two workers. A key that is added again while it is worked on
 * comes back when the worker says `done`.
 * Models:     client-go/util/workqueue/{queue,delaying_queue,
 *             rate_limiting_queue,default_rate_limiters}.go @ v1.36
 * Leaves out: metrics, priorities.
 * Try:        drop the `dirty` test in `add` and count the reconciles.
 */
import type { Kernel, Timer } from "../kernel/index.ts";
import { Fifo } from "./fifo.ts";

/** A key and the trace entry that put it into the queue. */
export interface QueueItem {
  readonly key: string;
  readonly causeId: number;
}

/** Waits after errors, in ms; each is twice the one before. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** 5 ms, 10, 20 … 1,000 s. Source: client-go default_rate_limiters.go */
const DEFAULT_BACKOFF: BackoffOptions = { firstMs: 5, maxMs: 1_000_000 };
/** Retries of all keys together: 10 a second after a burst of 100. */
const RETRIES_PER_SECOND = 10;
const RETRY_BURST = 100;

export class WorkQueue {
  private readonly kernel: Kernel;
  /** Keys that need work, with the cause of the first add. */
  private readonly dirty = new Map<string, number>();
  private readonly processing = new Set<string>();
  private readonly ready = new Fifo<string>();
  private readonly waiters: ((item: QueueItem | undefined) => void)[] = [];
  private readonly delayed = new Map<string, { atMs: number; timer: Timer }>();
  private readonly failures = new Map<string, number>();
  private tokens = RETRY_BURST;
  private tokensAtMs = 0;
  private closed = false;

  private readonly backoff: BackoffOptions;

  constructor(kernel: Kernel, backoff = DEFAULT_BACKOFF) {
    this.kernel = kernel;
    this.backoff = backoff;
  }

  /** Keys that wait for a worker. */
  get length(): number {
    return this.ready.length;
  }

  // region: add
  /** Marks `key` as in need of work; nothing new if it is so already. */
  add(key: string): void {
    if (this.closed || this.dirty.has(key)) return;
    this.dirty.set(key, this.kernel.causeId);
    if (!this.processing.has(key)) this.push(key);
  }
  // endregion: add

  /** Adds `key` after `ms`; the earliest of several waits wins. */
  addAfter(key: string, ms: number): void {
    if (this.closed) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const atMs = this.kernel.now() + ms;
    const planned = this.delayed.get(key);
    if (planned && planned.atMs <= atMs) return;
    planned?.timer.cancel();
    const timer = this.kernel.after(ms, () => {
      this.delayed.delete(key);
      this.add(key);
    });
    this.delayed.set(key, { atMs, timer });
  }

  /** Adds `key` after its backoff, which doubles with each failure. */
  addRateLimited(key: string): void {
    const failures = this.failures.get(key) ?? 0;
    this.failures.set(key, failures + 1);
    const { firstMs, maxMs } = this.backoff;
    const backoffMs = Math.min(firstMs * 2 ** failures, maxMs);
    this.addAfter(key, Math.max(backoffMs, this.reserveToken()));
  }

  /** How often `key` was rate limited since it was forgotten. */
  retries(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  /** The key did well: its next backoff starts at 5 ms again. */
  forget(key: string): void {
    this.failures.delete(key);
  }

  /** The next key; waits for one. Undefined once the queue is shut down. */
  get(): Promise<QueueItem | undefined> {
    return this.kernel.wait((resolve) => {
      if (this.closed) resolve(undefined);
      else if (this.length > 0) resolve(this.take());
      else this.waiters.push(resolve);
    });
  }

  // region: done
  /** The worker has finished with `key`; if it was added since, it returns. */
  done(key: string): void {
    this.processing.delete(key);
    if (this.dirty.has(key)) this.push(key);
  }
  // endregion: done

  /** Ends all workers; later adds are ignored. */
  shutDown(): void {
    this.closed = true;
    for (const { timer } of this.delayed.values()) timer.cancel();
    this.delayed.clear();
    for (const resolve of this.waiters.splice(0)) resolve(undefined);
  }

  private push(key: string): void {
    if (this.closed) return;
    this.ready.push(key);
    this.waiters.shift()?.(this.take());
  }

  private take(): QueueItem {
    const key = this.ready.shift()!;
    const causeId = this.dirty.get(key) ?? 0;
    this.dirty.delete(key);
    this.processing.add(key);
    return { key, causeId };
  }

  /** Wait, in ms, that the bucket shared by all keys asks for. */
  private reserveToken(): number {
    const now = this.kernel.now();
    const earned = ((now - this.tokensAtMs) / 1000) * RETRIES_PER_SECOND;
    this.tokens = Math.min(RETRY_BURST, this.tokens + earned) - 1;
    this.tokensAtMs = now;
    return Math.max(0, (-this.tokens / RETRIES_PER_SECOND) * 1000);
  }
}
