/**
 * Watchers of one resource, filed so that an event meets only those that may
 * want it: by the value of an indexed field, else by namespace, else all.
 * Models: the watchers map of apiserver/pkg/storage/cacher/cacher.go @ v1.36
 */
import type { KubeObject, WatchEvent } from "../../api/types.ts";
import type { CacheEvent, CacheWatcher } from "./cache-event.ts";

type Group = Set<CacheWatcher>;

export class WatcherIndex {
  private readonly indexOf: ((object: KubeObject) => string) | undefined;
  private readonly everything: Group = new Set();
  private readonly byNamespace = new Map<string, Group>();
  private readonly byValue = new Map<string, Group>();

  constructor(indexOf: ((object: KubeObject) => string) | undefined) {
    this.indexOf = indexOf;
  }

  /** Files the watcher; returns how to take it out. */
  add(watcher: CacheWatcher): () => void {
    const { namespace, indexValue } = watcher;
    if (indexValue !== undefined) {
      return file(this.byValue, indexValue, watcher);
    }
    if (namespace) return file(this.byNamespace, namespace, watcher);
    this.everything.add(watcher);
    return () => this.everything.delete(watcher);
  }

  /** Hands the event to those whose selection it touches. */
  dispatch(event: CacheEvent): void {
    const { object, prev } = event;
    tell(this.everything, event);
    if (this.byNamespace.size > 0) {
      tell(this.byNamespace.get(object.metadata.namespace ?? ""), event);
    }
    if (!this.indexOf || this.byValue.size === 0) return;
    const value = this.indexOf(object);
    tell(this.byValue.get(value), event);
    const before = prev ? this.indexOf(prev) : value;
    if (before !== value) tell(this.byValue.get(before), event);
  }
}

function file(
  groups: Map<string, Group>,
  value: string,
  watcher: CacheWatcher,
): () => void {
  const group = groups.get(value) ?? new Set();
  groups.set(value, group);
  group.add(watcher);
  return () => {
    group.delete(watcher);
    if (group.size === 0) groups.delete(value);
  };
}

function tell(group: Group | undefined, event: CacheEvent): void {
  if (!group) return;
  for (const watcher of group) {
    const seen = seenBy(watcher, event);
    if (seen) watcher.onEvent(seen, event.revision);
  }
}

/**
 * What a watcher sees of an event: an object that enters its selection is
 * ADDED for it, one that leaves it is DELETED.
 */
export function seenBy(
  { namespace, matches }: CacheWatcher,
  event: CacheEvent,
): WatchEvent | undefined {
  const { type, object, prev } = event;
  if (namespace && object.metadata.namespace !== namespace) return undefined;
  if (!matches) return { type, object };
  const was = prev !== undefined && matches(prev);
  const is = type !== "DELETED" && matches(object);
  if (is) return { type: was ? "MODIFIED" : "ADDED", object };
  if (!was) return undefined;
  if (type === "DELETED") return { type, object };
  const resourceVersion = object.metadata.resourceVersion;
  const metadata = Object.freeze({ ...prev.metadata, resourceVersion });
  return { type: "DELETED", object: Object.freeze({ ...prev, metadata }) };
}
