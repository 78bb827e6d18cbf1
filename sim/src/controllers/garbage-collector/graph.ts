/**
 * Who depends on whom. The graph is not kept apart: each kind's local copy
 * has an index from an owner's uid to its dependents.
 * Models:     pkg/controller/garbagecollector/{graph,graph_builder}.go @ v1.36
 * Leaves out: virtual nodes; an owner is looked up in its kind's copy, and
 *             what names an owner of a kind that came later is looked at then.
 */
import {
  apiVersionOf,
  groupResource,
  type ResourceRef,
} from "../../api/resource.ts";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import type { Informer, InformerFactory } from "../../client/informer.ts";
import { type ItemKey, itemKey, splitItemKey } from "../shared/items.ts";

export const FOREGROUND = "foregroundDeletion";
export const ORPHAN = "orphan";

const BY_OWNER = "owner-uid";

/** An object and its kind. */
export interface Item {
  readonly ref: ResourceRef;
  readonly object: KubeObject;
}

export class Graph {
  private readonly informers: InformerFactory;
  private readonly byResource = new Map<string, Informer>();
  private readonly byKind = new Map<string, Informer>();

  constructor(informers: InformerFactory) {
    this.informers = informers;
  }

  has(ref: ResourceRef): boolean {
    return this.byResource.has(groupResource(ref));
  }

  /** Adds a kind; its objects are listed and watched from now on. */
  add(ref: ResourceRef): Informer {
    const informer = this.informers.informer(ref);
    informer.addIndex(BY_OWNER, ownerUids);
    this.byResource.set(groupResource(ref), informer);
    this.alias(ref, informer);
    return informer;
  }

  /** The same kind under another of its versions. */
  alias(ref: ResourceRef, informer: Informer): void {
    this.byKind.set(`${apiVersionOf(ref)} ${ref.kind}`, informer);
  }

  remove(ref: ResourceRef): void {
    const informer = this.byResource.get(groupResource(ref));
    this.byResource.delete(groupResource(ref));
    for (const [kind, one] of [...this.byKind]) {
      if (one === informer) this.byKind.delete(kind);
    }
    this.informers.drop(ref);
  }

  get(item: ItemKey): Item | undefined {
    const { resource, key } = splitItemKey(item);
    const informer = this.byResource.get(resource);
    const object = informer?.get(key);
    return informer && object && { ref: informer.ref, object };
  }

  /** The kind of an item, known even if the object is gone. */
  refOf(item: ItemKey): ResourceRef | undefined {
    return this.byResource.get(splitItemKey(item).resource)?.ref;
  }

  /** The kind that a reference names. */
  kindOf({ apiVersion, kind }: OwnerReference): ResourceRef | undefined {
    return this.byKind.get(`${apiVersion} ${kind}`)?.ref;
  }

  dependentsOf(owner: KubeObject): Item[] {
    const uid = owner.metadata.uid ?? "";
    const items: Item[] = [];
    for (const informer of this.copies()) {
      if (informer.countByIndex(BY_OWNER, uid) === 0) continue;
      for (const object of informer.byIndex(BY_OWNER, uid)) {
        items.push({ ref: informer.ref, object });
      }
    }
    return items;
  }

  /** The local copies of all kinds. */
  copies(): Iterable<Informer> {
    return this.byResource.values();
  }

  /** True if the owner is in another namespace: it owns nothing here. */
  isElsewhere(object: KubeObject, owner: OwnerReference): boolean {
    const informer = this.byKind.get(`${owner.apiVersion} ${owner.kind}`);
    if (!informer?.ref.namespaced) return false;
    for (const { metadata } of informer.values()) {
      if (metadata.uid !== owner.uid) continue;
      return metadata.namespace !== object.metadata.namespace;
    }
    return false;
  }

  /** The owner in the local copy, if it is there under the same uid. */
  ownerOf(object: KubeObject, owner: OwnerReference): Item | undefined {
    const informer = this.byKind.get(`${owner.apiVersion} ${owner.kind}`);
    if (!informer) return undefined;
    const { namespace } = object.metadata;
    const inside = informer.ref.namespaced && namespace;
    const key = inside ? `${namespace}/${owner.name}` : owner.name;
    const found = informer.get(key);
    if (found?.metadata.uid !== owner.uid) return undefined;
    return { ref: informer.ref, object: found };
  }
}

/** An owner as a reference names it, looked for in a namespace. */
export function ownerKey(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace = "",
): string {
  return [apiVersion, kind, namespace, name, uid].join();
}

export function keyOfItem({ ref, object }: Item): ItemKey {
  return itemKey(ref, object);
}

const NONE: readonly string[] = [];

function ownerUids({
  metadata: { ownerReferences },
}: KubeObject): string | readonly string[] {
  if (!ownerReferences) return NONE;
  if (ownerReferences.length === 1) return ownerReferences[0]!.uid;
  return ownerReferences.map(({ uid }) => uid);
}

/** It goes once all dependents that block it are gone. */
export function waitsForDependents(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, FOREGROUND);
}

/** It goes once its dependents do not name it any more. */
export function orphansDependents(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, ORPHAN);
}

export function isBeingDeleted(object: KubeObject): boolean {
  return !!object.metadata.deletionTimestamp;
}

export function hasFinalizer(object: KubeObject, name: string): boolean {
  return object.metadata.finalizers?.includes(name) ?? false;
}
