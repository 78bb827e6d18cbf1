/**
 * Back-off by key: how long to wait before trying again what failed, doubling
 * up to a limit; forgotten once all was well for twice the limit.
 * Models: client-go/util/flowcontrol/backoff.go @ v1.36
 */
interface Entry {
  backoffMs: number;
  lastUpdateMs: number;
}

export class KeyedBackoff {
  private readonly entries = new Map<string, Entry>();
  private readonly initialMs: number;
  private readonly maxMs: number;

  constructor(initialMs: number, maxMs: number) {
    this.initialMs = initialMs;
    this.maxMs = maxMs;
  }

  /** The present wait, in ms; 0 if there is none. */
  get(key: string): number {
    return this.entries.get(key)?.backoffMs ?? 0;
  }

  /** Notes a try: the next wait is longer. `eventMs`: what led to it. */
  next(key: string, eventMs: number, nowMs: number): void {
    const entry = this.entries.get(key);
    if (!entry || this.expired(entry, eventMs)) {
      const backoffMs = this.initialMs;
      this.entries.set(key, { backoffMs, lastUpdateMs: nowMs });
      return;
    }
    entry.backoffMs = Math.min(entry.backoffMs * 2, this.maxMs);
    entry.lastUpdateMs = nowMs;
  }

  /** True while less than the wait has passed since `eventMs`. */
  waitsSince(key: string, eventMs: number, nowMs: number): boolean {
    const entry = this.entries.get(key);
    if (!entry || this.expired(entry, eventMs)) return false;
    return nowMs < eventMs + entry.backoffMs;
  }

  /** True while less than the wait has passed since the last try. */
  waitsSinceUpdate(key: string, nowMs: number): boolean {
    const entry = this.entries.get(key);
    if (!entry || this.expired(entry, nowMs)) return false;
    return nowMs < entry.lastUpdateMs + entry.backoffMs;
  }

  /** Forgets every key that begins with `prefix`. */
  forget(prefix: string): void {
    for (const key of this.entries.keys()) {
      if (key.startsWith(prefix)) this.entries.delete(key);
    }
  }

  private expired({ lastUpdateMs }: Entry, eventMs: number): boolean {
    return eventMs - lastUpdateMs > this.maxMs * 2;
  }
}
