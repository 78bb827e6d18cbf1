/** What happened in a store since the last compaction, oldest first. */
import { type Bounds, within } from "./keys.ts";
import type { KeyValue, KvEvent } from "./types.ts";

export class History {
  private events: KvEvent[] = [];

  /** Events kept: what a compaction would spare. */
  get length(): number {
    return this.events.length;
  }

  push(event: KvEvent): void {
    this.events.push(event);
  }

  save(): readonly KvEvent[] {
    return this.events.slice();
  }

  load(events: readonly KvEvent[]): void {
    this.events = events.slice();
  }

  /** Forgets what was before `revision`. */
  compact(revision: number): void {
    this.events = this.events.slice(this.indexOf(revision));
  }

  /** Events of `revision` and later that lie in the range, oldest first. */
  since(revision: number, bounds: Bounds): KvEvent[] {
    const found: KvEvent[] = [];
    for (let i = this.indexOf(revision); i < this.events.length; i++) {
      const event = this.events[i]!;
      if (within(bounds, event.kv.key)) found.push(event);
    }
    return found;
  }

  /** Keys in the range that were written after `revision`, as they were. */
  undo(revision: number, bounds: Bounds): Map<string, KeyValue | undefined> {
    const before = new Map<string, KeyValue | undefined>();
    for (let i = this.events.length - 1; i >= 0; i--) {
      const event = this.events[i]!;
      if (event.kv.modRevision <= revision) break;
      if (within(bounds, event.kv.key)) before.set(event.kv.key, event.prev);
    }
    return before;
  }

  /** Index of the first event of `revision` or later. */
  private indexOf(revision: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.kv.modRevision < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
