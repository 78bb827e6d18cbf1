/**
 * Informer: a local copy of one kind's objects, kept current by list, then
 * watch. Components read it instead of asking the API server, so what they
 * see is a little old: that is why conflicts and expectations exist.
 * Handlers run in the very step in which the watch event arrives.
 * Models:     client-go/tools/cache/{reflector,shared_informer}.go,
 *             client-go/informers @ v1.36
 * Leaves out: the resync period; streaming the first list (WatchList).
 */
import type { ResourceRef } from "../api/resource.ts";
import { isGone } from "../api/status.ts";
import type { WatchHandle } from "../api/transport.ts";
import type { Status, WatchEvent } from "../api/types.ts";
import { type KubeObject, keyOf, type ObjectKey } from "../api/types.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import { Backoff } from "./backoff.ts";
import type { Client } from "./client.ts";
import { type IndexFunction, Store } from "./store.ts";

/** What part of a kind an informer follows. */
export interface InformerOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Called when the local copy changed, after it changed. */
export interface ChangeHandlers<T> {
  added?(object: T): void;
  updated?(object: T, old: T): void;
  /** With the last state that was seen. */
  deleted?(object: T): void;
}

/** The server ends a watch after 5 to 10 minutes; the informer opens anew. */
const WATCH_SECONDS_MIN = 300;
const GONE = 410;

export class Informer<T extends KubeObject = KubeObject> {
  readonly ref: ResourceRef<T>;
  private readonly kernel: Kernel;
  private readonly client: Client;
  private readonly options: InformerOptions;
  private readonly actor: string;
  private readonly random: Random;
  private readonly store = new Store<T>();
  private readonly handlers = new Set<ChangeHandlers<T>>();
  private readonly backoff: Backoff;
  private readonly waiters: (() => void)[] = [];
  private synced = false;
  private resourceVersion = "";
  /** Counts starts; what an earlier run still receives is ignored. */
  private run = 0;
  private watch: WatchHandle | undefined;

  constructor(
    owner: InformerOwner,
    ref: ResourceRef<T>,
    options: InformerOptions,
  ) {
    this.kernel = owner.kernel;
    this.client = owner.client;
    this.actor = owner.actor;
    this.ref = ref;
    this.options = options;
    this.random = owner.kernel.random.fork(`${owner.actor}/${ref.resource}`);
    this.backoff = new Backoff(owner.kernel, this.random);
  }

  /** True once the first list was delivered. */
  get hasSynced(): boolean {
    return this.synced;
  }

  get size(): number {
    return this.store.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.store.get(key);
  }

  /** All objects, or those of one namespace, in the order they came. */
  list(namespace = ""): T[] {
    return this.store.list(namespace);
  }

  /** The same without making an array. */
  values(): IterableIterator<T> {
    return this.store.values();
  }

  /** Files every object under the values that `valuesOf` gives. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.store.addIndex(name, valuesOf);
  }

  byIndex(name: string, value: string): T[] {
    return this.store.byIndex(name, value);
  }

  countByIndex(name: string, value: string): number {
    return this.store.countByIndex(name, value);
  }

  /** Adds handlers; they hear of what is there already. Returns the undo. */
  onChange(handlers: ChangeHandlers<T>): () => void {
    this.handlers.add(handlers);
    if (this.synced) {
      for (const object of this.store.list()) handlers.added?.(object);
    }
    return () => this.handlers.delete(handlers);
  }

  /** Waits until the first list was delivered. */
  whenSynced(): Promise<void> {
    return this.kernel.wait((resolve) => {
      if (this.synced) resolve();
      else this.waiters.push(resolve);
    });
  }

  /** Begins to list and watch; nothing if it has begun. */
  start(): void {
    if (this.run % 2 === 1) return;
    const run = ++this.run;
    this.kernel.spawn(this.actor, () => this.listAndWatch(run));
  }

  /** Ends the watch and forgets all objects; handlers are not called. */
  stop(): void {
    if (this.run % 2 === 0) return;
    this.run++;
    this.watch?.stop();
    this.watch = undefined;
    this.store.clear();
    this.synced = false;
    this.resourceVersion = "";
  }

  /** Lists until a list succeeds, then watches from there. */
  private async listAndWatch(run: number): Promise<void> {
    for (;;) {
      try {
        if (!this.resourceVersion) await this.list_(run);
        if (run !== this.run) return;
        await this.openWatch(run);
        return;
      } catch (error) {
        if (run !== this.run) return;
        if (isGone(error)) this.resourceVersion = "";
        this.recordError(error);
        await this.kernel.sleep(this.backoff.next());
      }
    }
  }

  private async list_(run: number): Promise<void> {
    const { namespace, ...selectors } = this.options;
    const options = { ...selectors, resourceVersion: "0" };
    const list = await this.client.list(this.ref, namespace, options);
    if (run !== this.run) return;
    this.replace(list.items);
    this.resourceVersion = list.metadata.resourceVersion ?? "";
    this.synced = true;
    for (const wake of this.waiters.splice(0)) wake();
  }

  private async openWatch(run: number): Promise<void> {
    const { namespace = "", ...selectors } = this.options;
    const options = {
      ...selectors,
      resourceVersion: this.resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: WATCH_SECONDS_MIN + this.random.int(WATCH_SECONDS_MIN),
    };
    const current = () => run === this.run;
    const handle = await this.client.watch(this.ref, namespace, options, {
      onEvent: (event) => {
        if (current()) this.apply(event as WatchEvent<T>);
      },
      onEnd: (error) => {
        if (current()) this.onWatchEnd(run, error);
      },
    });
    if (current()) this.watch = handle;
    else handle.stop();
  }

  /** 410: the history was compacted, list anew. Else go on from the last. */
  private onWatchEnd(run: number, error: Status | undefined): void {
    this.watch = undefined;
    if (error?.code === GONE) this.resourceVersion = "";
    if (error) this.recordError(new Error(error.message));
    this.kernel.spawn(this.actor, async () => {
      if (error) await this.kernel.sleep(this.backoff.next());
      if (run === this.run) await this.listAndWatch(run);
    });
  }

  // region: apply
  /** One watch event: first the copy changes, then the handlers hear of it. */
  private apply({ type, object }: WatchEvent<T>): void {
    this.resourceVersion =
      object.metadata.resourceVersion ?? this.resourceVersion;
    if (type === "BOOKMARK" || type === "ERROR") return;
    if (type === "DELETED") this.remove(object);
    else this.put(object);
  }
  // endregion: apply

  private put(object: T): void {
    const old = this.store.set(object);
    for (const handlers of this.handlers) {
      if (old) handlers.updated?.(object, old);
      else handlers.added?.(object);
    }
  }

  private remove(object: T): void {
    if (!this.store.delete(keyOf(object))) return;
    for (const handlers of this.handlers) handlers.deleted?.(object);
  }

  /** A new list against the old copy: the difference is told as events. */
  private replace(items: readonly T[]): void {
    const keys = new Set(items.map(keyOf));
    for (const key of [...this.store.keys()]) {
      if (!keys.has(key)) this.remove(this.store.get(key)!);
    }
    for (const item of items) {
      const old = this.store.get(keyOf(item));
      const same =
        old?.metadata.resourceVersion === item.metadata.resourceVersion;
      if (!old || !same) this.put(item);
    }
  }

  private recordError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const subject = `watch ${this.ref.resource}`;
    this.kernel.record(this.actor, "error", subject, "", { message });
  }
}

/** What an informer needs of the process that it lives in. */
export interface InformerOwner {
  readonly kernel: Kernel;
  readonly client: Client;
  readonly actor: string;
}

/** The informers of one process: each kind is listed and watched once. */
export class InformerFactory {
  private readonly owner: InformerOwner;
  private readonly informers = new Map<string, StartStop>();
  private stopped = false;

  constructor(owner: InformerOwner) {
    this.owner = owner;
  }

  /** The shared informer of `ref`; the first who asks starts it. */
  informer<T extends KubeObject>(
    ref: ResourceRef<T>,
    options: InformerOptions = {},
  ): Informer<T> {
    const key = [
      `${ref.group}/${ref.resource}`,
      options.namespace,
      options.labelSelector,
      options.fieldSelector,
    ].join("|");
    const known = this.informers.get(key);
    // The key holds the kind, so the type of its objects is T.
    if (known) return known as Informer<T>;
    const made = new Informer(this.owner, ref, options);
    this.informers.set(key, made);
    if (!this.stopped) made.start();
    return made;
  }

  /** Ends all watches and forgets all objects. */
  stop(): void {
    this.stopped = true;
    for (const informer of this.informers.values()) informer.stop();
  }

  /** After `stop`: begins anew, with empty copies. */
  restart(): void {
    this.stopped = false;
    for (const informer of this.informers.values()) informer.start();
  }
}

interface StartStop {
  start(): void;
  stop(): void;
}
