/**
 * Decides about one object: keep it, delete it, or take dead references off.
 * Local copies may be old, so the server is asked before anything is deleted.
 * Models: pkg/controller/garbagecollector/garbagecollector.go
 *         (attemptToDeleteItem) @ v1.36
 */
import { isNotFound } from "../../api/status.ts";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import { splitKey } from "../../api/types.ts";
import { type ItemKey, splitItemKey } from "../shared/items.ts";
import type { CollectorContext } from "./context.ts";
import {
  FOREGROUND,
  hasFinalizer,
  type Item,
  isBeingDeleted,
  keyOfItem,
  ORPHAN,
  ownerKey,
  waitsForDependents,
} from "./graph.ts";
import { dropReferences, removeFinalizer, unblock } from "./patches.ts";

// region: attempt-to-delete
export async function attemptToDelete(
  item: ItemKey,
  ctx: CollectorContext,
): Promise<void> {
  const known = ctx.graph.get(item);
  if (known && isBeingDeleted(known.object)) {
    if (!waitsForDependents(known.object)) return; // It is going anyway.
  }
  const latest = await read(item, known, ctx);
  if (!latest) return;
  if (known && waitsForDependents(known.object)) {
    return finishForeground(latest, ctx);
  }
  const owners = latest.object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return;
  // What is in no namespace cannot have an owner that is in one.
  if (!latest.object.metadata.namespace) {
    const kinds = owners.map((owner) => ctx.graph.kindOf(owner));
    if (kinds.some((kind) => kind?.namespaced)) return;
  }
  const { solid, dangling, waiting } = await classify(latest, owners, ctx);
  if (solid.length > 0) {
    const dead = [...dangling, ...waiting];
    if (dead.length > 0) await dropReferences(latest, dead, ctx.client);
  } else if (waiting.length > 0 && ctx.graph.dependentsOf(latest.object)[0]) {
    await deleteAfterDependents(latest, ctx);
  } else {
    await remove(latest, policyOf(latest.object), ctx);
  }
}
// endregion: attempt-to-delete

/** The object as the server has it; undefined if it is another or gone. */
async function read(
  item: ItemKey,
  known: Item | undefined,
  { graph, client }: CollectorContext,
): Promise<Item | undefined> {
  const ref = known?.ref ?? graph.refOf(item);
  if (!ref) return undefined;
  const { namespace, name } = splitKey(splitItemKey(item).key);
  try {
    const object = await client.get(ref, namespace, name);
    const same = !known || object.metadata.uid === known.object.metadata.uid;
    return same ? { ref, object } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface Owners {
  /** There, and to stay. */
  readonly solid: OwnerReference[];
  /** Gone. */
  readonly dangling: OwnerReference[];
  /** There, waiting for its dependents to go. */
  readonly waiting: OwnerReference[];
}

async function classify(
  item: Item,
  references: readonly OwnerReference[],
  ctx: CollectorContext,
): Promise<Owners> {
  const owners: Owners = { solid: [], dangling: [], waiting: [] };
  for (const reference of references) {
    const owner = await readOwner(item.object, reference, ctx);
    if (!owner) owners.dangling.push(reference);
    else if (owner !== "unknown" && waitsForDependents(owner)) {
      owners.waiting.push(reference);
    } else owners.solid.push(reference);
  }
  return owners;
}

/** Undefined if it is gone. A kind that is not known is left alone. */
async function readOwner(
  dependent: KubeObject,
  reference: OwnerReference,
  { graph, client, absent }: CollectorContext,
): Promise<KubeObject | "unknown" | undefined> {
  const ref = graph.kindOf(reference);
  if (!ref) return "unknown";
  const inside = ref.namespaced ? (dependent.metadata.namespace ?? "") : "";
  const key = ownerKey(reference, inside);
  if (absent.has(key)) return undefined;
  try {
    const owner = await client.get(ref, inside, reference.name);
    if (owner.metadata.uid === reference.uid) return owner;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  absent.add(key);
  return undefined;
}

/** An owner in foreground deletion: done if nothing blocks it any more. */
async function finishForeground(
  owner: Item,
  { graph, toDelete, client }: CollectorContext,
): Promise<void> {
  const uid = owner.object.metadata.uid;
  const blocking = graph
    .dependentsOf(owner.object)
    .filter(({ object }) =>
      object.metadata.ownerReferences?.some(
        (reference) => reference.uid === uid && reference.blockOwnerDeletion,
      ),
    );
  if (blocking.length === 0) {
    return removeFinalizer(owner, FOREGROUND, client);
  }
  for (const item of blocking) {
    if (!waitsForDependents(item.object)) toDelete.add(keyOfItem(item));
  }
}

/** Its owner waits, and it has dependents itself: foreground all the way. */
async function deleteAfterDependents(
  item: Item,
  ctx: CollectorContext,
): Promise<void> {
  const circle = ctx.graph
    .dependentsOf(item.object)
    .some(({ object }) => waitsForDependents(object));
  if (circle) await unblock(item, ctx.client);
  await remove(item, "Foreground", ctx);
}

/** The finalizers that it has already say how its own dependents go. */
function policyOf(object: KubeObject): "Orphan" | "Foreground" | "Background" {
  if (hasFinalizer(object, ORPHAN)) return "Orphan";
  return hasFinalizer(object, FOREGROUND) ? "Foreground" : "Background";
}

/** Deletes it, if it is still the one that was judged. */
async function remove(
  { ref, object }: Item,
  propagationPolicy: "Orphan" | "Foreground" | "Background",
  { client }: CollectorContext,
): Promise<void> {
  const { namespace = "", name, uid, resourceVersion } = object.metadata;
  const preconditions = { uid, resourceVersion };
  try {
    const options = { propagationPolicy, preconditions };
    await client.delete(ref, namespace, name, options);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
