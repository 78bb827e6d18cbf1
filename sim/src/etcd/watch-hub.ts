/**
 * Watches of one member: who wants which keys from which revision on. A write
 * finds its watchers by the bucket of its key, so that the watchers of other
 * resources cost it nothing.
 * Models:     etcd server/storage/mvcc/{watchable_store,watcher_group}.go (3.5)
 * Leaves out: slow watchers that are synced in batches; ours take all at once.
 */
import {
  type Bounds,
  boundsOf,
  bucketOf,
  bucketOfRange,
  within,
} from "./keys.ts";
import type { Mvcc } from "./mvcc.ts";
import {
  ETCD_ERRORS,
  EtcdError,
  type KvEvent,
  type Watch,
  type WatchRequest,
  type WatchResponse,
} from "./types.ts";

interface Watcher {
  readonly bounds: Bounds;
  readonly request: WatchRequest;
  readonly onResponse: (response: WatchResponse) => void;
  /** Events before this revision are not for it. */
  readonly fromRevision: number;
}

/** Watchers whose keys span several buckets are filed under this name. */
const EVERYWHERE = "*";

export class WatchHub {
  private readonly store: Mvcc;
  private readonly byBucket = new Map<string, Set<Watcher>>();

  constructor(store: Mvcc) {
    this.store = store;
  }

  /** Opens a watch; history that it asks for arrives before this returns. */
  watch(
    request: WatchRequest,
    onResponse: (response: WatchResponse) => void,
  ): Watch {
    const { store } = this;
    const start = request.startRevision ?? 0;
    const bounds = boundsOf(request);
    if (start > 0 && start < store.compactRevision) {
      onResponse({
        revision: 0,
        events: [],
        canceled: true,
        compactRevision: store.compactRevision,
        error: new EtcdError(ETCD_ERRORS.compacted),
      });
      return { cancel() {} };
    }
    const fromRevision = Math.max(start, store.revision + 1);
    const watcher: Watcher = { bounds, request, onResponse, fromRevision };
    if (start > 0 && start <= store.revision) {
      this.send(watcher, store.eventsSince(start, bounds));
    }
    const group = this.group(bucketOfRange(bounds) ?? EVERYWHERE);
    group.add(watcher);
    return { cancel: () => group.delete(watcher) };
  }

  /** Hands the events of one committed write to those who watch them. */
  notify(events: readonly KvEvent[]): void {
    if (events.length === 1) {
      const [event] = events;
      this.notifyGroup(this.byBucket.get(bucketOf(event!.kv.key)), events);
    } else {
      const buckets = new Set(events.map(({ kv }) => bucketOf(kv.key)));
      for (const name of buckets) {
        this.notifyGroup(this.byBucket.get(name), events);
      }
    }
    this.notifyGroup(this.byBucket.get(EVERYWHERE), events);
  }

  private notifyGroup(
    watchers: Set<Watcher> | undefined,
    events: readonly KvEvent[],
  ): void {
    if (!watchers) return;
    for (const watcher of watchers) {
      const { bounds, fromRevision } = watcher;
      if (events[0]!.kv.modRevision < fromRevision) continue;
      const all = events.length === 1 && within(bounds, events[0]!.kv.key);
      const wanted = all
        ? events
        : events.filter(({ kv }) => within(bounds, kv.key));
      this.send(watcher, wanted);
    }
  }

  private send(watcher: Watcher, found: readonly KvEvent[]): void {
    const { noPut, noDelete, prevKv } = watcher.request;
    let events = found;
    if (noPut) events = events.filter(({ type }) => type !== "PUT");
    if (noDelete) events = events.filter(({ type }) => type !== "DELETE");
    if (events.length === 0) return;
    if (prevKv) events = events.map((event) => this.readablePrev(event));
    watcher.onResponse({ revision: this.store.revision, events });
  }

  /** What a compaction took away is not shown as the version before. */
  private readablePrev(event: KvEvent): KvEvent {
    const readable = event.kv.modRevision - 1 >= this.store.compactRevision;
    return readable ? event : { ...event, prev: undefined };
  }

  /**
   * The store leapt on from `revision`: each watcher gets what lies between,
   * or its end if that was compacted.
   */
  catchUp(revision: number): void {
    const { store } = this;
    const start = revision + 1;
    if (start < store.compactRevision) {
      const error = new EtcdError(ETCD_ERRORS.compacted);
      this.cancelAll(error, () => true, store.compactRevision);
      return;
    }
    for (const watchers of this.byBucket.values()) {
      for (const watcher of [...watchers]) {
        const { bounds, fromRevision } = watcher;
        const from = Math.max(start, fromRevision);
        this.send(watcher, store.eventsSince(from, bounds));
      }
    }
  }

  /** Tells every watcher how far it has seen; etcd does so when asked. */
  progress(): void {
    const { revision } = this.store;
    for (const watchers of this.byBucket.values()) {
      for (const { onResponse } of watchers) {
        onResponse({ revision, events: [] });
      }
    }
  }

  /** Ends the watches that `which` picks, with `error`. */
  cancelAll(
    error: EtcdError,
    which: (request: WatchRequest) => boolean,
    compactRevision?: number,
  ): void {
    const { revision } = this.store;
    const end = { revision, events: [], canceled: true, error } as const;
    for (const watchers of this.byBucket.values()) {
      for (const watcher of [...watchers]) {
        if (!which(watcher.request)) continue;
        watchers.delete(watcher);
        watcher.onResponse(compactRevision ? { ...end, compactRevision } : end);
      }
    }
  }

  private group(name: string): Set<Watcher> {
    let group = this.byBucket.get(name);
    if (!group) {
      group = new Set();
      this.byBucket.set(name, group);
    }
    return group;
  }
}
