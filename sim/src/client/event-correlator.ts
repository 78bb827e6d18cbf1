/**
 * Decides what becomes of an Event: written as it is, folded into an earlier
 * one, or dropped.
 * Models: client-go/tools/record/events_cache.go @ v1.36
 */
import type { Event } from "../api/kinds/event.ts";
import type { Kernel } from "../kernel/index.ts";

export interface Correlated {
  readonly event: Event;
  /** Names the Event among those that are alike. */
  readonly key: string;
  /** Set if an Event that exists is to be changed. */
  readonly patch?: object;
}

/** Different messages of one reason within the interval, then combined. */
const ALIKE_MAX = 10;
const ALIKE_INTERVAL_MS = 600_000;
/** Events that a source may send about an object: 25, then 1 per 5 min. */
const SPAM_BURST = 25;
const SPAM_INTERVAL_MS = 300_000;
/** Entries of each memory; the least recently used goes. */
const CACHE_SIZE = 4096;
/** In the newer API a series ends after 6 minutes of silence. */
const SERIES_MS = 360_000;

export class EventCorrelator {
  private readonly kernel: Kernel;
  private readonly groups = new Recent<{
    messages: string[];
    atMs: number;
  }>();
  private readonly seen = new Recent<{ event: Event; atMs: number }>();
  private readonly buckets = new Recent<{ tokens: number; atMs: number }>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Undefined if the Event is to be dropped. */
  correlate(event: Event): Correlated | undefined {
    const about = keyOf(event);
    if (event.eventTime) return this.inSeries(event, about);
    const { event: folded, key } = this.aggregate(event, about);
    const counted = this.count(folded, key);
    return this.isSpam(about) ? undefined : counted;
  }

  /** Notes under which name and version the server has the Event now. */
  written(key: string, event: Event): void {
    this.seen.set(key, { event, atMs: this.kernel.now() });
  }

  /** Folds an Event whose like came ten times with other messages. */
  private aggregate(
    event: Event,
    about: string,
  ): { event: Event; key: string } {
    const now = this.kernel.now();
    const groupKey = `${about}|${event.type}|${event.reason}`;
    const { fieldPath } = event.involvedObject;
    const key = `${groupKey}|${fieldPath}|${event.message}`;
    let group = this.groups.get(groupKey);
    if (!group || now - group.atMs > ALIKE_INTERVAL_MS) {
      group = { messages: [], atMs: now };
    }
    const { messages } = group;
    const { message = "" } = event;
    if (!messages.includes(message)) messages.push(message);
    group.atMs = now;
    this.groups.set(groupKey, group);
    if (group.messages.length < ALIKE_MAX) return { event, key };
    messages.shift();
    const combined = `(combined from similar events): ${event.message}`;
    return { event: { ...event, message: combined }, key: groupKey };
  }

  /** The same Event again: raises the count of the one that exists. */
  private count(event: Event, key: string): Correlated {
    const last = this.seen.get(key)?.event;
    if (!last) {
      this.seen.set(key, { event, atMs: this.kernel.now() });
      return { event, key };
    }
    const count = (last.count ?? 1) + 1;
    const { message, lastTimestamp } = event;
    const { metadata, firstTimestamp } = last;
    const again = { ...event, metadata, firstTimestamp, count };
    this.seen.set(key, { event: again, atMs: this.kernel.now() });
    return { event: again, key, patch: { message, lastTimestamp, count } };
  }

  /** A bucket of tokens for each source and object. */
  private isSpam(key: string): boolean {
    const now = this.kernel.now();
    const bucket = this.buckets.get(key) ?? { tokens: SPAM_BURST, atMs: now };
    const earned = (now - bucket.atMs) / SPAM_INTERVAL_MS;
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + earned);
    bucket.atMs = now;
    this.buckets.set(key, bucket);
    if (bucket.tokens < 1) return true;
    bucket.tokens -= 1;
    return false;
  }

  /** The newer API: what repeats becomes a series of one Event. */
  private inSeries(event: Event, about: string): Correlated {
    const now = this.kernel.now();
    const key = `${about}|${event.type}|${event.reason}|${event.action}`;
    const last = this.seen.get(key);
    if (!last || now - last.atMs > SERIES_MS) {
      this.seen.set(key, { event, atMs: now });
      return { event, key };
    }
    const count = (last.event.series?.count ?? 1) + 1;
    const series = { count, lastObservedTime: event.eventTime };
    const again = { ...last.event, series };
    this.seen.set(key, { event: again, atMs: now });
    return { event: again, key, patch: { series } };
  }
}

/** Of which object is told; who tells is always the same. */
function keyOf({ involvedObject }: Event): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  if (uid) return `${uid}|${apiVersion}`;
  return `${kind}|${namespace}|${name}|${apiVersion}`;
}

/** A map that keeps the most recently used entries alone. */
class Recent<V> {
  private readonly entries = new Map<string, V>();
  private newest = "";

  get(key: string): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    if (key !== this.newest) this.entries.delete(key);
    this.newest = key;
    this.entries.set(key, value);
    if (this.entries.size <= CACHE_SIZE) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      break;
    }
  }
}
