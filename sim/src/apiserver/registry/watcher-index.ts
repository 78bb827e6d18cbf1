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
    const { type, object, prev } = event;
    const whole: WatchEvent = { type, object };
    tell(this.everything, event, whole);
    if (this.byNamespace.size > 0) {
      const { namespace = "" } = object.metadata;
      tell(this.byNamespace.get(namespace), event, whole);
    }
    if (!this.indexOf || this.byValue.size === 0) return;
    const value = this.indexOf(object);
    tell(this.byValue.get(value), event, whole);
    const before = prev ? this.indexOf(prev) : value;
    if (before !== value) tell(this.byValue.get(before), event, whole);
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

/** Most watchers see the event as it is: they share what they are told. */
function tell(
  group: Group | undefined,
  event: CacheEvent,
  whole: WatchEvent,
): void {
  if (!group) return;
  for (const watcher of group) {
    const seen = seenBy(watcher, event, whole);
    if (seen) watcher.onEvent(seen, event.revision);
  }
}

/**
 * What a watcher sees of an event; `whole` if it sees it as it is. An object
 * that enters its selection is ADDED for it, one that leaves it is DELETED.
 */
export function seenBy(
  { namespace, matches }: CacheWatcher,
  event: CacheEvent,
  whole: WatchEvent,
): WatchEvent | undefined {
  const { type, object, prev } = event;
  if (namespace && object.metadata.namespace !== namespace) return undefined;
  if (!matches) return whole;
  const was = prev !== undefined && matches(prev);
  const is = type !== "DELETED" && matches(object);
  if (is) {
    const seenAs = was ? "MODIFIED" : "ADDED";
    return seenAs === type ? whole : { type: seenAs, object };
  }
  if (!was) return undefined;
  if (type === "DELETED") return whole;
  const resourceVersion = object.metadata.resourceVersion;
  const metadata = Object.freeze({ ...prev.metadata, resourceVersion });
  return { type: "DELETED", object: Object.freeze({ ...prev, metadata }) };
}
