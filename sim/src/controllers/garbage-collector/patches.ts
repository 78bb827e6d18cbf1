/**
 * The patches of the garbage collector: references and finalizers.
 * Models: pkg/controller/garbagecollector/{patch,operations}.go @ v1.36
 */
import { isConflict, isNotFound, StatusError } from "../../api/status.ts";
import type { OwnerReference } from "../../api/types.ts";
import type { Client } from "../../client/client.ts";
import type { Item } from "./graph.ts";

const STRATEGIC = "application/strategic-merge-patch+json";
const MERGE = "application/merge-patch+json";
const CONFLICTS_MAX = 5;

/** Takes references to `owners` off the object. */
export async function dropReferences(
  item: Item,
  owners: readonly Pick<OwnerReference, "uid">[],
  client: Client,
): Promise<void> {
  const { namespace = "", name, uid } = item.object.metadata;
  const ownerReferences = owners.map((o) => ({ $patch: "delete", uid: o.uid }));
  const body = { metadata: { ownerReferences, uid } };
  try {
    await client.patch(item.ref, namespace, name, STRATEGIC, body);
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isUnsupported(error)) throw error;
    // A kind of a CustomResourceDefinition: the whole list instead.
    const dropped = new Set(owners.map((owner) => owner.uid));
    await patchReferences(item, client, (references) =>
      references.filter((reference) => !dropped.has(reference.uid)),
    );
  }
}

function isUnsupported(error: unknown): boolean {
  return error instanceof StatusError && error.code === 415;
}

/** Its owners need not wait for it: breaks a circle of owners. */
export async function unblock(item: Item, client: Client): Promise<void> {
  await patchReferences(item, client, (references) =>
    references.map((reference) => ({
      ...reference,
      blockOwnerDeletion: reference.blockOwnerDeletion && false,
    })),
  );
}

async function patchReferences(
  { ref, object }: Item,
  client: Client,
  change: (references: readonly OwnerReference[]) => readonly OwnerReference[],
): Promise<void> {
  const { namespace = "", name, uid, resourceVersion } = object.metadata;
  const left = change(object.metadata.ownerReferences ?? []);
  const ownerReferences = left.length > 0 ? left : null;
  const metadata = { ownerReferences, uid, resourceVersion };
  try {
    await client.patch(ref, namespace, name, MERGE, { metadata });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Takes a finalizer off; a fresh copy is read after each conflict. */
export async function removeFinalizer(
  item: Item,
  finalizer: string,
  client: Client,
): Promise<void> {
  let { object } = item;
  const { namespace = "", name } = object.metadata;
  for (let tries = 0; ; tries++) {
    const left = object.metadata.finalizers?.filter((f) => f !== finalizer);
    if (left?.length === (object.metadata.finalizers?.length ?? 0)) return;
    const { resourceVersion } = object.metadata;
    const metadata = { resourceVersion, finalizers: left ?? [] };
    try {
      await client.patch(item.ref, namespace, name, MERGE, { metadata });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error) || tries >= CONFLICTS_MAX) throw error;
    }
    object = await client.get(item.ref, namespace, name);
  }
}
