/**
 * Sets the dependents of an owner free, then lets the owner go.
 * Models: pkg/controller/garbagecollector/garbagecollector.go
 *         (attemptToOrphanWorker) @ v1.36
 */
import type { ItemKey } from "../shared/items.ts";
import { sideBySide } from "../shared/slow-start.ts";
import type { CollectorContext } from "./context.ts";
import { ORPHAN, orphansDependents } from "./graph.ts";
import { dropReferences, removeFinalizer } from "./patches.ts";

export async function attemptToOrphan(
  item: ItemKey,
  { graph, client }: CollectorContext,
): Promise<void> {
  const owner = graph.get(item);
  if (!owner || !orphansDependents(owner.object)) return;
  const uid = owner.object.metadata.uid ?? "";
  const dependents = graph.dependentsOf(owner.object);
  const { error } = await sideBySide(dependents.length, (i) =>
    dropReferences(dependents[i]!, [{ uid }], client),
  );
  if (error) throw error;
  await removeFinalizer(owner, ORPHAN, client);
}
