/** What a watch cache tells its watchers, and how it makes it of etcd's. */
import type { KubeObject, WatchEvent } from "../../api/types.ts";
import type { KeyValue } from "../../etcd/index.ts";

/** A change to one object, as the cache saw it. */
export interface CacheEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** `namespace/name`, or `name` of a cluster-wide object. */
  readonly key: string;
  /** After the change; of a deletion: the last state, newly versioned. */
  readonly object: KubeObject;
  readonly prev: KubeObject | undefined;
  readonly revision: number;
}

/** What one watcher wants, and where it goes. */
export interface CacheWatcher {
  /** "": all namespaces. */
  readonly namespace: string;
  /** Value of the indexed field that it wants, if it selects by that field. */
  readonly indexValue?: string;
  /** Absent: everything of the namespace. */
  readonly matches?: (object: KubeObject) => boolean;
  onEvent(event: WatchEvent, revision: number): void;
}

export const NO_KEY: KeyValue = Object.freeze({
  key: "",
  value: undefined,
  createRevision: 0,
  modRevision: 0,
  version: 0,
  lease: 0,
});

/** The version before, as an event tells it. */
export function was(kv: KeyValue, value: unknown): KeyValue | undefined {
  return value === undefined ? undefined : { ...kv, value };
}

/** The object at another revision. */
export function versioned(object: KubeObject, revision: number): KubeObject {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  return Object.freeze({ ...object, metadata: Object.freeze(metadata) });
}
