/**
 * The watch cache of one resource: the newest objects and the last events,
 * fed by a single watch of etcd. Lists and watches of all clients are served
 * from here; a write finds its watchers by namespace or by the field that
 * they select (5,000 kubelets watch the Pods of one node each), never by
 * asking all of them.
 * Models:     apiserver/pkg/storage/cacher/{cacher,watch_cache}.go @ v1.36
 * Leaves out: the B-tree snapshots of older revisions: such lists ask etcd.
 */
import type { KubeObject } from "../../api/types.ts";
import { type EtcdApi, type KvEvent, SortedMap } from "../../etcd/index.ts";
import {
  type CacheEvent,
  type CacheWatcher,
  NO_KEY,
  versioned,
  was,
} from "./cache-event.ts";
import { WatcherIndex } from "./watcher-index.ts";

export interface WatchCacheOptions {
  readonly etcd: EtcdApi;
  /** `/registry/pods/`. */
  readonly prefix: string;
  /** Value of the field that the cache files objects by: `spec.nodeName`. */
  readonly indexOf?: (object: KubeObject) => string;
  /** Events kept for watches that begin in the past. */
  readonly historyMax?: number;
}

const HISTORY_MAX = 10_000;

export class WatchCache {
  /** Revision up to which the cache is current. */
  revision = 0;
  /** Lists and gets served, for comparing with etcd's own count. */
  served = 0;
  private readonly options: WatchCacheOptions;
  private readonly objects = new SortedMap<KubeObject>();
  private readonly watchers: WatcherIndex;
  private readonly byIndex = new Map<string, Set<string>>();
  private readonly listeners: ((event: CacheEvent) => void)[] = [];
  private history: CacheEvent[] = [];
  /** Watches from before this revision are too old. */
  private oldestRevision = 0;

  constructor(options: WatchCacheOptions) {
    this.options = options;
    this.watchers = new WatcherIndex(options.indexOf);
  }

  /** Lists once, then follows etcd. To be called once. */
  start(): void {
    const { etcd, prefix } = this.options;
    const listed = etcd.range({
      key: prefix,
      prefix: true,
      serializable: true,
    });
    if (listed instanceof Promise) return; // Serializable reads never wait.
    const found = new Set<string>();
    for (const kv of listed.kvs) {
      found.add(kv.key.slice(prefix.length));
      const known = this.get(kv.key.slice(prefix.length));
      if (known !== kv.value)
        this.apply({ type: "PUT", kv, prev: was(kv, known) });
    }
    for (const key of [...this.objects.keys()]) {
      if (!found.has(key)) this.lose(key, listed.revision);
    }
    this.forgetHistory(listed.revision);
    this.revision = listed.revision;
    this.follow(listed.revision + 1);
  }

  /** An object went while the cache was not looking. */
  private lose(key: string, modRevision: number): void {
    const value = this.get(key);
    const whole = this.options.prefix + key;
    const kv = { ...NO_KEY, key: whole, modRevision };
    this.apply({ type: "DELETE", kv, prev: { ...kv, value } });
  }

  private follow(startRevision: number): void {
    const { etcd, prefix } = this.options;
    etcd.watch({ key: prefix, prefix: true, startRevision }, (response) => {
      for (const event of response.events) this.apply(event);
      if (!response.canceled) this.revision = response.revision;
      // What was missed may be compacted: then only a list helps.
      else if (response.compactRevision) this.start();
      else this.follow(this.revision + 1);
    });
  }

  private apply({ type, kv, prev: before }: KvEvent): void {
    const key = kv.key.slice(this.options.prefix.length);
    const revision = kv.modRevision;
    const prev = before?.value as KubeObject | undefined;
    this.revision = revision;
    let event: CacheEvent;
    if (type === "DELETE") {
      if (!prev) return;
      const object = versioned(prev, revision);
      this.objects.delete(key);
      if (this.options.indexOf) this.unfile(key, prev);
      event = { type: "DELETED", key, object, prev, revision };
    } else {
      const object = kv.value as KubeObject;
      this.put(key, object, prev);
      event = {
        type: prev ? "MODIFIED" : "ADDED",
        key,
        object,
        prev,
        revision,
      };
    }
    this.remember(event);
    for (const listener of this.listeners) listener(event);
    this.watchers.dispatch(event);
  }

  private put(key: string, object: KubeObject, prev: KubeObject | undefined) {
    this.objects.set(key, object);
    const { indexOf } = this.options;
    if (!indexOf) return;
    const value = indexOf(object);
    if (prev && indexOf(prev) === value) return;
    if (prev) this.unfile(key, prev);
    if (value === "") return;
    const filed = this.byIndex.get(value);
    if (filed) filed.add(key);
    else this.byIndex.set(value, new Set([key]));
  }

  private unfile(key: string, object: KubeObject): void {
    const value = this.options.indexOf!(object);
    const filed = this.byIndex.get(value);
    filed?.delete(key);
    if (filed?.size === 0) this.byIndex.delete(value);
  }

  private remember(event: CacheEvent): void {
    const max = this.options.historyMax ?? HISTORY_MAX;
    this.history.push(event);
    if (this.history.length < 2 * max) return;
    this.oldestRevision = this.history[max]!.revision - 1;
    this.history = this.history.slice(max);
  }

  /** Hears of every change, before the watchers do. */
  onChange(listener: (event: CacheEvent) => void): void {
    this.listeners.push(listener);
  }

  get(key: string): KubeObject | undefined {
    return this.objects.get(key);
  }

  get size(): number {
    return this.objects.size;
  }

  /** Objects of a namespace ("": of all) in the order of their keys. */
  list(namespace: string): KubeObject[] {
    this.served++;
    const keys = namespace
      ? this.objects.slice(`${namespace}/`, `${namespace}0`)
      : this.objects.keys();
    return keys.map((key) => this.objects.get(key)!);
  }

  /** All objects, unordered and without making an array. */
  values(): IterableIterator<KubeObject> {
    return this.objects.values();
  }

  /** Objects whose indexed field has this value, in the order of keys. */
  listByIndex(value: string): KubeObject[] {
    const keys = this.byIndex.get(value);
    if (!keys) return [];
    return [...keys].sort().map((key) => this.objects.get(key)!);
  }

  /** Events after `revision`, oldest first; undefined if some are gone. */
  since(revision: number): readonly CacheEvent[] | undefined {
    if (revision < this.oldestRevision) return undefined;
    return this.history.filter((event) => event.revision > revision);
  }

  /** Oldest revision that a watch may begin after. */
  get oldest(): number {
    return this.oldestRevision;
  }

  /** Forgets past events: what a restart of the server does. */
  forgetHistory(revision: number): void {
    this.history = [];
    this.oldestRevision = revision;
  }

  /** Adds a watcher of what happens from now on; returns how to end it. */
  watch(watcher: CacheWatcher): () => void {
    return this.watchers.add(watcher);
  }
}
