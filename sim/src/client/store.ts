/**
 * What an informer knows: the newest object of each key, and indexes over
 * them. Objects are frozen and shared with the API server's own store, so
 * keeping 150,000 of them costs a pointer each.
 * Models: client-go/tools/cache/{store,thread_safe_store}.go @ v1.36
 */
import { type KubeObject, keyOf, type ObjectKey } from "../api/types.ts";

/** The value, or values, under which an index files an object. */
export type IndexFunction<T> = (object: T) => string | readonly string[];

interface Index<T> {
  readonly valuesOf: IndexFunction<T>;
  /** Keys by value: an object that stays under its value costs nothing. */
  readonly buckets: Map<string, Set<ObjectKey>>;
}

const BY_NAMESPACE = "namespace";

export class Store<T extends KubeObject> {
  private readonly objects = new Map<ObjectKey, T>();
  private readonly indexes = new Map<string, Index<T>>();

  get size(): number {
    return this.objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.objects.get(key);
  }

  keys(): IterableIterator<ObjectKey> {
    return this.objects.keys();
  }

  values(): IterableIterator<T> {
    return this.objects.values();
  }

  /** All objects, or those of one namespace, in the order they came. */
  list(namespace = ""): T[] {
    if (!namespace) return [...this.objects.values()];
    this.addIndex(BY_NAMESPACE, (object) => object.metadata.namespace ?? "");
    return this.byIndex(BY_NAMESPACE, namespace);
  }

  /** Adds an index; one of that name that exists already is kept. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    if (this.indexes.has(name)) return;
    const index: Index<T> = { valuesOf, buckets: new Map() };
    this.indexes.set(name, index);
    for (const [key, object] of this.objects) file(index, key, object);
  }

  byIndex(name: string, value: string): T[] {
    const index = this.indexes.get(name);
    if (!index) throw new Error(`no index ${name}`);
    const found: T[] = [];
    for (const key of index.buckets.get(value) ?? []) {
      found.push(this.objects.get(key)!);
    }
    return found;
  }

  /** How many objects an index has under `value`. */
  countByIndex(name: string, value: string): number {
    return this.indexes.get(name)?.buckets.get(value)?.size ?? 0;
  }

  set(object: T): T | undefined {
    const key = keyOf(object);
    const old = this.objects.get(key);
    this.objects.set(key, object);
    for (const index of this.indexes.values()) {
      if (old) refile(index, key, old, object);
      else file(index, key, object);
    }
    return old;
  }

  delete(key: ObjectKey): T | undefined {
    const old = this.objects.get(key);
    if (!old) return undefined;
    this.objects.delete(key);
    for (const index of this.indexes.values()) unfile(index, key, old);
    return old;
  }

  /** Forgets all objects; the indexes stay, empty. */
  clear(): void {
    this.objects.clear();
    for (const { buckets } of this.indexes.values()) buckets.clear();
  }
}

function valuesOf<T>(index: Index<T>, object: T): readonly string[] {
  return listed(index.valuesOf(object));
}

function listed(values: string | readonly string[]): readonly string[] {
  return typeof values === "string" ? [values] : values;
}

function put<T>(index: Index<T>, value: string, key: string): void {
  const bucket = index.buckets.get(value);
  if (bucket) bucket.add(key);
  else index.buckets.set(value, new Set([key]));
}

function drop<T>(index: Index<T>, value: string, key: string): void {
  const bucket = index.buckets.get(value);
  bucket?.delete(key);
  if (bucket?.size === 0) index.buckets.delete(value);
}

function file<T>(index: Index<T>, key: ObjectKey, object: T): void {
  for (const value of valuesOf(index, object)) put(index, value, key);
}

function unfile<T>(index: Index<T>, key: ObjectKey, object: T): void {
  for (const value of valuesOf(index, object)) drop(index, value, key);
}

/** What stays under the same value keeps its place. */
function refile<T>(index: Index<T>, key: ObjectKey, old: T, now: T): void {
  const before = index.valuesOf(old);
  const after = index.valuesOf(now);
  if (before === after && typeof after === "string") return;
  const kept = listed(after);
  for (const value of listed(before)) {
    if (!kept.includes(value)) drop(index, value, key);
  }
  for (const value of kept) put(index, value, key);
}
