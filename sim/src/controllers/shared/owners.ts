/**
 * Ownership: which objects a controller manages. What carries its reference
 * and matches its selector is its own; an orphan that matches is adopted; an
 * owned object that no longer matches is released.
 * Models: pkg/controller/controller_ref_manager.go @ v1.36
 */
import { apiVersionOf, type ResourceRef } from "../../api/resource.ts";
import type { LabelSelector } from "../../api/selector.ts";
import { isInvalid, isNotFound } from "../../api/status.ts";
import type { KubeObject, OwnerReference } from "../../api/types.ts";
import { controllerOf, keyOf, splitKey } from "../../api/types.ts";
import type { Client } from "../../client/client.ts";
import type { Informer } from "../../client/informer.ts";

/** The reference that makes `owner` the controller of an object. */
export function controllerRef(
  ref: ResourceRef,
  owner: KubeObject,
): OwnerReference {
  return {
    apiVersion: apiVersionOf(ref),
    kind: ref.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The controller of `object` in the local copy, if its uid is the same. */
export function controllerIn<T extends KubeObject>(
  informer: Informer<T>,
  object: KubeObject,
): T | undefined {
  const owner = controllerOf(object);
  if (!owner || owner.kind !== informer.ref.kind) return undefined;
  const { namespace } = object.metadata;
  const found = informer.get(namespace ? `${namespace}/${owner.name}` : "");
  return found?.metadata.uid === owner.uid ? found : undefined;
}

export interface Claim<T extends KubeObject> {
  readonly client: Client;
  readonly ownerRef: ResourceRef;
  readonly owner: KubeObject;
  readonly ref: ResourceRef<T>;
  readonly selector: LabelSelector;
  /** What an adopted object gets besides its owner. */
  readonly finalizers?: readonly string[];
  /** Matches besides the selector; absent: all do. */
  filter?(object: T): boolean;
}

/** Those of `objects` that are the owner's after adopting and releasing. */
export async function claim<T extends KubeObject>(
  claimed: Claim<T>,
  objects: readonly T[],
): Promise<T[]> {
  const { owner, selector } = claimed;
  const mine: T[] = [];
  let asked = false;
  let failure: unknown;
  for (const object of objects) {
    const controller = controllerOf(object);
    const matches =
      selector.matches(object.metadata.labels) &&
      (claimed.filter?.(object) ?? true);
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (matches) mine.push(object);
      else if (!owner.metadata.deletionTimestamp) {
        await release(claimed, object).catch((error) => {
          failure ??= error;
        });
      }
      continue;
    }
    if (!matches || !mayAdopt(owner, object)) continue;
    try {
      if (!asked) await assertStillThere(claimed);
      asked = true;
      if (await adopt(claimed, object)) mine.push(object);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return mine;
}

function mayAdopt(owner: KubeObject, object: KubeObject): boolean {
  if (owner.metadata.deletionTimestamp) return false;
  if (object.metadata.deletionTimestamp) return false;
  return owner.metadata.namespace === object.metadata.namespace;
}

/** Asks the server, since the local copy may be of an owner that is gone. */
async function assertStillThere<T extends KubeObject>(
  claimed: Claim<T>,
): Promise<void> {
  const { client, ownerRef, owner } = claimed;
  const { namespace, name } = splitKey(keyOf(owner));
  const now = await client.get(ownerRef, namespace, name);
  const { uid, deletionTimestamp } = now.metadata;
  const what = `${ownerRef.kind} ${namespace}/${name}`;
  if (uid !== owner.metadata.uid) {
    throw new Error(
      `original ${what} is gone: got uid ${uid}, wanted ${owner.metadata.uid}`,
    );
  }
  if (deletionTimestamp) {
    throw new Error(`${what} has just been deleted at ${deletionTimestamp}`);
  }
}

/** False if the object is gone by now. */
async function adopt<T extends KubeObject>(
  { client, ownerRef, owner, ref, finalizers }: Claim<T>,
  object: T,
): Promise<boolean> {
  const ownerReferences = [controllerRef(ownerRef, owner)];
  const { uid } = object.metadata;
  const metadata = { ownerReferences, uid, ...(finalizers && { finalizers }) };
  return patched(client, ref, object, { metadata });
}

async function release<T extends KubeObject>(
  { client, owner, ref }: Claim<T>,
  object: T,
): Promise<void> {
  const mark = { $patch: "delete", uid: owner.metadata.uid };
  const metadata = { ownerReferences: [mark], uid: object.metadata.uid };
  try {
    await patched(client, ref, object, { metadata });
  } catch (error) {
    // Invalid: the uid differs, so this object is another one by now.
    if (!isInvalid(error)) throw error;
  }
}

async function patched<T extends KubeObject>(
  client: Client,
  ref: ResourceRef<T>,
  object: T,
  body: unknown,
): Promise<boolean> {
  const { namespace = "", name } = object.metadata;
  const type = "application/strategic-merge-patch+json";
  try {
    await client.patch(ref, namespace, name, type, body);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
