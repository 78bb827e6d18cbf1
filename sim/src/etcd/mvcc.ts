/**
 * The store of one member: every key at every revision since the last
 * compaction. The newest state lies in sorted buckets, one a resource; older
 * states are the newest one with the log's events undone, newest first.
 * Models:     etcd server/storage/mvcc/{kvstore,kvstore_txn,index}.go (3.5)
 * Leaves out: the file on disk and its pages; a member's store outlives it.
 */
import { flat } from "../kernel/flat.ts";
import { History } from "./history.ts";
import { type Bounds, boundsOf, bucketOf, bucketOfRange } from "./keys.ts";
import { rangeAnswer } from "./range.ts";
import { compareText, SortedMap } from "./sorted-map.ts";
import {
  ETCD_ERRORS,
  EtcdError,
  type KeyValue,
  type KvEvent,
  type PutRequest,
  type RangeRequest,
  type RangeResponse,
} from "./types.ts";

/** A store as it was at a moment. */
export interface StoreState {
  readonly revision: number;
  readonly compactRevision: number;
  readonly kvs: readonly KeyValue[];
  readonly log: readonly KvEvent[];
}

export class Mvcc {
  /** Revision of the newest committed write; a fresh store is at 1. */
  revision = 1;
  /** Nothing before this revision can be read; 0: all can. */
  compactRevision = 0;
  private readonly buckets = new Map<string, SortedMap<KeyValue>>();
  private near: { name: string; bucket: SortedMap<KeyValue> } | null = null;
  private readonly history = new History();
  /** Events of the write that is being made. */
  private writing: KvEvent[] = [];

  get(key: string): KeyValue | undefined {
    return this.bucketOrNone(key)?.get(key);
  }

  /** The bucket of a key; the one that was asked for last is at hand. */
  private bucketOrNone(key: string): SortedMap<KeyValue> | undefined {
    const { near } = this;
    if (near && key.startsWith(near.name)) return near.bucket;
    const name = bucketOf(key);
    const bucket = this.buckets.get(name);
    if (bucket && name !== "") this.near = { name, bucket };
    return bucket;
  }

  /** Reads a range, now or as of `request.revision`. */
  range(request: RangeRequest): RangeResponse {
    const bounds = boundsOf(request);
    const { revision } = this;
    const past = request.revision && request.revision > 0;
    if (past) this.checkReadable(request.revision!);
    if (bounds.single && !past) {
      const kv = this.get(bounds.from);
      return rangeAnswer(revision, kv ? [kv] : [], request);
    }
    const undone = past ? this.history.undo(request.revision!, bounds) : null;
    const kvs: KeyValue[] = [];
    for (const key of this.keysIn(bounds, undone)) {
      const kv = undone?.has(key) ? undone.get(key) : this.get(key);
      if (kv) kvs.push(kv);
    }
    return rangeAnswer(revision, kvs, request);
  }

  private checkReadable(revision: number): void {
    if (revision > this.revision) {
      throw new EtcdError(ETCD_ERRORS.futureRevision);
    }
    if (revision < this.compactRevision) {
      throw new EtcdError(ETCD_ERRORS.compacted);
    }
  }

  private keysIn(
    bounds: Bounds,
    more: Map<string, unknown> | null,
  ): readonly string[] {
    const keys = this.newestKeysIn(bounds);
    const missing = more
      ? [...more.keys()].filter((key) => !this.get(key))
      : [];
    return missing.length === 0
      ? keys
      : [...keys, ...missing].sort(compareText);
  }

  private newestKeysIn(bounds: Bounds): readonly string[] {
    const bucket = bucketOfRange(bounds);
    if (bucket !== undefined) {
      return this.buckets.get(bucket)?.slice(bounds.from, bounds.end) ?? [];
    }
    const all: string[] = [];
    for (const keys of this.buckets.values()) {
      for (const key of keys.slice(bounds.from, bounds.end)) all.push(key);
    }
    return all.sort(compareText);
  }

  /** Writes a key as part of the write that `commit` ends. */
  put(request: PutRequest): KeyValue | undefined {
    const { key, lease = 0 } = request;
    const revision = this.revision + 1;
    const bucket = this.bucket(key);
    const prev = bucket.get(key);
    const kv: KeyValue = {
      // One text for all the revisions of a key.
      key: prev ? prev.key : flat(key),
      value: request.value,
      createRevision: prev ? prev.createRevision : revision,
      modRevision: revision,
      version: prev ? prev.version + 1 : 1,
      lease,
    };
    bucket.set(key, kv);
    this.writing.push({ type: "PUT", kv, prev });
    return prev;
  }

  /** Deletes keys as part of the write that `commit` ends. */
  delete(bounds: Bounds): KeyValue[] {
    const keys = bounds.single ? [bounds.from] : [...this.newestKeysIn(bounds)];
    const deleted: KeyValue[] = [];
    for (const key of keys) {
      const prev = this.get(key);
      if (!prev) continue;
      this.bucket(key).delete(key);
      this.writing.push({ type: "DELETE", kv: this.tombstone(key), prev });
      deleted.push(prev);
    }
    return deleted;
  }

  private tombstone(key: string): KeyValue {
    return {
      key,
      value: undefined,
      createRevision: 0,
      modRevision: this.revision + 1,
      version: 0,
      lease: 0,
    };
  }

  /** Ends a write: all its puts and deletes share one new revision. */
  commit(): readonly KvEvent[] {
    const events = this.writing;
    if (events.length === 0) return events;
    this.writing = [];
    this.revision++;
    for (const event of events) this.history.push(event);
    return events;
  }

  /** Forgets what was before `revision`. */
  compact(revision: number): void {
    if (revision <= this.compactRevision) {
      throw new EtcdError(ETCD_ERRORS.compacted);
    }
    if (revision > this.revision) {
      throw new EtcdError(ETCD_ERRORS.futureRevision);
    }
    this.compactRevision = revision;
    this.history.compact(revision);
  }

  eventsSince(revision: number, bounds: Bounds): KvEvent[] {
    return this.history.since(revision, bounds);
  }

  /** Events kept: what a compaction would spare. */
  get historyLength(): number {
    return this.history.length;
  }

  /** What is in it, and its history: by reference, since neither changes. */
  save(): StoreState {
    const { revision, compactRevision } = this;
    const kvs = [...this.buckets.values()].flatMap((one) => [...one.values()]);
    return { revision, compactRevision, kvs, log: this.history.save() };
  }

  load({ revision, compactRevision, kvs, log }: StoreState): void {
    this.revision = revision;
    this.compactRevision = compactRevision;
    this.history.load(log);
    this.near = null;
    this.buckets.clear();
    for (const kv of kvs) this.bucket(kv.key).set(kv.key, kv);
  }

  private bucket(key: string): SortedMap<KeyValue> {
    const known = this.bucketOrNone(key);
    if (known) return known;
    const bucket = new SortedMap<KeyValue>();
    this.buckets.set(bucketOf(key), bucket);
    return bucket;
  }
}
