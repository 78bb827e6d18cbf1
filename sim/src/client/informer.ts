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
import {
  type KubeObject,
  keyOf,
  type ObjectKey,
  type WatchEvent,
} from "../api/types.ts";
import type { Kernel } from "../kernel/index.ts";
import {
  type InformerOptions,
  type InformerOwner,
  Reflector,
} from "./reflector.ts";
import { type IndexFunction, Store } from "./store.ts";

export type { InformerOptions, InformerOwner } from "./reflector.ts";

/** Called when the local copy changed, after it changed. */
export interface ChangeHandlers<T> {
  added?(object: T): void;
  updated?(object: T, old: T): void;
  /** With the last state that was seen. */
  deleted?(object: T): void;
}

export class Informer<T extends KubeObject = KubeObject> {
  readonly ref: ResourceRef<T>;
  private readonly kernel: Kernel;
  private readonly store = new Store<T>();
  private readonly handlers = new Set<ChangeHandlers<T>>();
  private readonly reflector: Reflector<T>;
  private readonly waiters: (() => void)[] = [];
  private synced = false;

  constructor(
    owner: InformerOwner,
    ref: ResourceRef<T>,
    options: InformerOptions,
  ) {
    this.kernel = owner.kernel;
    this.ref = ref;
    this.reflector = new Reflector(owner, ref, options, {
      replace: (items) => this.listed(items),
      apply: (event) => this.apply(event),
    });
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
    this.reflector.start();
  }

  /** Ends the watch and forgets all objects; handlers are not called. */
  stop(): void {
    if (!this.reflector.stop()) return;
    this.store.clear();
    this.synced = false;
  }

  private listed(items: readonly T[]): void {
    this.replace(items);
    this.synced = true;
    for (const wake of this.waiters.splice(0)) wake();
  }

  // region: apply
  /** One watch event: first the copy changes, then the handlers hear of it. */
  private apply({ type, object }: WatchEvent<T>): void {
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

  /** Ends the informer of a kind that is no longer there. */
  drop(ref: ResourceRef): void {
    const key = `${ref.group}/${ref.resource}|||`;
    this.informers.get(key)?.stop();
    this.informers.delete(key);
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
