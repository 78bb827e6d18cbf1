/**
 * Namespace controller: empties a namespace that is being deleted, Pods
 * first, then takes the finalizer off its spec so that it goes.
 * Models: pkg/controller/namespace/{namespace_controller,
 *         deletion/namespaced_resources_deleter}.go @ v1.36
 */
import { Namespace } from "../../api/kinds/namespace.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { isConflict, isNotFound } from "../../api/status.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { Component, ComponentContext } from "../../client/component.ts";
import { startController } from "../../client/controller.ts";
import { equal } from "../shared/equal.ts";
import { conditionsAfter, type Findings } from "./conditions.ts";
import { emptyAll } from "./content.ts";

interface Context extends ComponentContext {
  /** Kinds whose objects live in namespaces and can be deleted. */
  kinds(): readonly ResourceRef[];
}

/** Wait before the first look, so that late creations are seen. */
const GRACE_MS = 5_000;
const FINALIZER = "kubernetes";

export function startNamespaceController(
  context: ComponentContext,
  kinds: () => readonly ResourceRef[],
): Component {
  const ctx: Context = { ...context, kinds };
  const controller = startController(context, {
    workers: 10,
    backoff: { firstMs: 5, maxMs: 60_000 },
    reconcile: async (key) => {
      const waitSeconds = await reconcile(key, ctx);
      if (waitSeconds) controller.queue.addAfter(key, waitSeconds * 1000);
    },
  });
  const enqueue = (namespace: Namespace) => {
    if (!namespace.metadata.deletionTimestamp) return;
    controller.queue.addAfter(keyOf(namespace), GRACE_MS);
  };
  const namespaces = context.informers.informer(Namespace);
  controller.on(namespaces, { added: enqueue, updated: enqueue });
  return controller;
}

// region: reconcile
/** Returns seconds after which to look again, if content is left. */
export async function reconcile(
  key: ObjectKey,
  ctx: Context,
): Promise<number | undefined> {
  const found = await readDying(key, ctx);
  if (!found?.spec.finalizers?.length) return;
  const namespace = await markTerminating(found, ctx);
  const findings = await emptyAll(namespace, ctx);
  await writeConditions(namespace, findings, ctx);
  if (findings.failures.length > 0) {
    throw new Error(findings.failures.join(", "));
  }
  if (findings.estimateSeconds > 0) {
    return Math.floor(findings.estimateSeconds / 2) + 1;
  }
  await finalize(key, ctx);
}
// endregion: reconcile

async function readDying(
  name: string,
  { client }: Context,
): Promise<Namespace | undefined> {
  try {
    const found = await client.get(Namespace, "", name);
    return found.metadata.deletionTimestamp ? found : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function markTerminating(
  namespace: Namespace,
  { client }: Context,
): Promise<Namespace> {
  if (namespace.status?.phase === "Terminating") return namespace;
  const status = { ...namespace.status, phase: "Terminating" };
  return client.updateStatus(Namespace, { ...namespace, status });
}

async function writeConditions(
  namespace: Namespace,
  findings: Findings,
  { client, kernel }: Context,
): Promise<void> {
  const old = namespace.status?.conditions ?? [];
  const conditions = conditionsAfter(old, findings, kernel.timestamp());
  if (equal(old, conditions)) return;
  const status = { ...namespace.status, conditions };
  try {
    await client.updateStatus(Namespace, { ...namespace, status });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { name } = namespace.metadata;
    const fresh = await client.get(Namespace, "", name);
    const again = { ...fresh.status, conditions };
    await client.updateStatus(Namespace, { ...fresh, status: again });
  }
}

async function finalize(name: string, { client }: Context): Promise<void> {
  const found = await client.get(Namespace, "", name);
  const left = found.spec.finalizers?.filter((f) => f !== FINALIZER);
  const body = { ...found, spec: { ...found.spec, finalizers: left } };
  try {
    await client.updateSub(Namespace, "", name, "finalize", body);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
