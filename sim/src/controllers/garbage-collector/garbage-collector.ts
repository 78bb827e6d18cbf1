/**
 * Garbage collector: deletes what has lost all its owners. It works on every
 * kind there is, and knows of none: only metadata counts.
 *
 *   Background  the owner goes at once; its dependents are found ownerless.
 *   Foreground  the owner waits, with a finalizer, until its dependents went.
 *   Orphan      the owner waits until no dependent names it; they stay.
 *
 * Models: pkg/controller/garbagecollector/garbagecollector.go @ v1.36
 */
import type { ResourceRef } from "../../api/resource.ts";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { type CustomKind, followCustomKinds } from "../shared/custom-kinds.ts";
import { itemKey } from "../shared/items.ts";
import type { CollectorContext } from "./context.ts";
import { attemptToDelete } from "./delete.ts";
import {
  Graph,
  isBeingDeleted,
  keyOfItem,
  orphansDependents,
  ownerKey,
  waitsForDependents,
} from "./graph.ts";
import { attemptToOrphan } from "./orphan.ts";

/** Events come and go by themselves. Source: DefaultIgnoredResources */
const IGNORED = "events";

/** `kinds`: all built-in ones that can be listed, watched and deleted. */
export function startGarbageCollector(
  context: ComponentContext,
  kinds: readonly ResourceRef[],
): Component {
  const deleting = startController(context, {
    workers: 20,
    reconcile: (item) => attemptToDelete(item, ctx),
  });
  const orphaning = startController(context, {
    workers: 20,
    reconcile: (item) => attemptToOrphan(item, ctx),
  });
  const ctx: CollectorContext = {
    ...context,
    graph: new Graph(context.informers),
    toDelete: deleting.queue,
    toOrphan: orphaning.queue,
    absent: new Set(),
  };
  const addKind = (ref: ResourceRef) => {
    if (ctx.graph.has(ref) || ref.resource === IGNORED) return;
    const informer = ctx.graph.add(ref);
    orphaning.needs(informer);
    deleting.on(informer, {
      added: (object) => changed(ref, object, undefined, ctx),
      updated: (object, old) => changed(ref, object, old, ctx),
      deleted: (object) => deleted(object, ctx),
    });
  };
  for (const ref of kinds) addKind(ref);
  const unfollow = followCustomKinds(context, {
    added: (found) => addCustom(found, addKind, ctx),
    removed: ({ ref }) => ctx.graph.remove(ref),
  });
  return {
    stop() {
      unfollow();
      deleting.stop();
      orphaning.stop();
    },
  };
}

/** A kind that came later: its objects may have gone before we knew of it. */
function addCustom(
  { ref, others }: CustomKind,
  addKind: (ref: ResourceRef) => void,
  { kernel, actor, informers, graph, toDelete }: CollectorContext,
): void {
  addKind(ref);
  const informer = informers.informer(ref);
  for (const other of others) graph.alias(other, informer);
  kernel.spawn(actor, async () => {
    await informer.whenSynced();
    for (const copy of graph.copies()) {
      for (const object of copy.values()) {
        const owners = object.metadata.ownerReferences ?? [];
        const isLost = (owner: OwnerReference) =>
          owner.kind === ref.kind && !graph.ownerOf(object, owner);
        if (owners.some(isLost)) toDelete.add(itemKey(copy.ref, object));
      }
    }
  });
}

// region: changes
/** A new or changed object: are its owners there, does it wait for others? */
function changed(
  ref: ResourceRef,
  object: KubeObject,
  old: KubeObject | undefined,
  ctx: CollectorContext,
): void {
  const { graph, toDelete, toOrphan } = ctx;
  const owners = object.metadata.ownerReferences;
  const before = old?.metadata.ownerReferences;
  if (owners && owners !== before) {
    const lost = owners.filter((owner) => !graph.ownerOf(object, owner));
    if (lost.length > 0) toDelete.add(itemKey(ref, object));
    for (const owner of lost) tellIfElsewhere(object, owner, ctx);
  }
  if (before && owners !== before) {
    // An owner that waited for this dependent may wait no more.
    for (const owner of before) {
      const item = graph.ownerOf(object, owner);
      if (item && waitsForDependents(item.object)) {
        toDelete.add(keyOfItem(item));
      }
    }
  }
  if (!isBeingDeleted(object)) return;
  const began = (test: (object: KubeObject) => boolean) =>
    test(object) && !(old && test(old));
  if (began(orphansDependents)) toOrphan.add(itemKey(ref, object));
  if (began(waitsForDependents)) {
    for (const item of graph.dependentsOf(object)) {
      toDelete.add(keyOfItem(item));
    }
    toDelete.add(itemKey(ref, object));
  }
}

/** An owner must be in the same namespace, or in none. */
function tellIfElsewhere(
  object: KubeObject,
  owner: OwnerReference,
  { graph, events }: CollectorContext,
): void {
  if (!graph.isElsewhere(object, owner)) return;
  const { namespace = "" } = object.metadata;
  const { apiVersion, kind, name, uid } = owner;
  const what = `${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}`;
  const message = `ownerRef [${what}] does not exist in namespace "${namespace}"`;
  events.event(object, "Warning", "OwnerRefInvalidNamespace", message);
}

/** An object is gone: its dependents, and who waited for it, are looked at. */
function deleted(
  object: KubeObject,
  { graph, toDelete, absent }: CollectorContext,
): void {
  const dependents = graph.dependentsOf(object);
  const { name, namespace, uid = "" } = object.metadata;
  const { apiVersion, kind } = object;
  if (dependents.length > 0) {
    absent.add(ownerKey({ apiVersion, kind, name, uid }, namespace));
  }
  for (const item of dependents) toDelete.add(keyOfItem(item));
  for (const owner of object.metadata.ownerReferences ?? []) {
    const item = graph.ownerOf(object, owner);
    if (item && waitsForDependents(item.object)) toDelete.add(keyOfItem(item));
  }
}
// endregion: changes
