/**
 * A CustomResourceDefinition that is deleted takes its objects along: it gets
 * a finalizer, they are deleted, and when none is left it goes.
 * Models: apiextensions-apiserver/pkg/{registry/customresourcedefinition/
 *         etcd.go,controller/finalizer/crd_finalizer.go} @ v1.36
 */
import { list, obj } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { isNotFound, StatusError } from "../../api/status.ts";
import type { ApiRequest } from "../../api/transport.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { LOOPBACK } from "../authentication/user.ts";
import { newContext, type RequestContext, respond } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { commitUpdate } from "../registry/commit.ts";
import { LostRace } from "../registry/lost-race.ts";
import type { Resource } from "../registry/resource.ts";
import type { ApiServer } from "../server.ts";

export const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";
const GROUP = "apiextensions.k8s.io";
/** Objects with finalizers of their own are waited for. */
const LOOK_MS = 5000;

/** The first delete: marked, so that nothing new is made. */
export function markDefinition(
  ctx: RequestContext,
  old: Obj,
): MaybePromise<void> {
  const finalizers = [...(old.metadata.finalizers ?? []), CLEANUP];
  const deletionTimestamp = ctx.server.kernel.timestamp();
  const metadata = { ...old.metadata, finalizers, deletionTimestamp };
  const status = withCondition(ctx.server, old, [
    ...["True", "InstanceDeletionPending"],
    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  ]);
  const marked = { ...old, metadata, status };
  if (ctx.dryRun) return respond(ctx, 200, marked);
  return andThen(commitUpdate(ctx, marked, old), (stored) => {
    if (!stored) throw new LostRace();
    respond(ctx, 200, stored);
  });
}

/** True while its objects are to be deleted first. */
export function isTerminating({ metadata }: Obj): boolean {
  const held = metadata.finalizers?.includes(CLEANUP) ?? false;
  return metadata.deletionTimestamp !== undefined && held;
}

/** Deletes the objects, waits for the last, lets the definition go. */
export function cleanUp(
  server: ApiServer,
  crd: Obj,
  served: readonly Resource[],
): void {
  const { kernel, actor } = server;
  const { name } = crd.metadata;
  kernel.spawn(actor, async () => {
    for (;;) {
      try {
        return await empty(server, name, served[0]);
      } catch (error) {
        // Another server was faster, or etcd does not answer.
        if (!(error instanceof StatusError)) throw error;
        await kernel.sleep(LOOK_MS);
      }
    }
  });
}

async function empty(
  server: ApiServer,
  name: string,
  resource: Resource | undefined,
): Promise<void> {
  const { kernel } = server;
  const say = (is: string, reason: string, message: string) =>
    put(server, name, "status", (now) => {
      const status = withCondition(server, now, [is, reason, message]);
      return { ...now, status };
    });
  const begun = "CustomResource deletion is in progress";
  await say("True", "InstanceDeletionInProgress", begun);
  while (resource?.storage && resource.storage.cache.size > 0) {
    await deleteAll(server, resource);
    if (resource.storage.cache.size > 0) await kernel.sleep(LOOK_MS);
  }
  await say("False", "InstanceDeletionCompleted", "removed all instances");
  await put(server, name, undefined, (now) => {
    const held = now.metadata.finalizers ?? [];
    const finalizers = held.filter((one) => one !== CLEANUP);
    return { ...now, metadata: { ...now.metadata, finalizers } };
  });
}

async function deleteAll(server: ApiServer, resource: Resource) {
  const { group, version, resource: name } = resource.kind;
  for (const { metadata } of [...resource.storage!.cache.values()]) {
    if (metadata.deletionTimestamp) continue;
    const where = { namespace: metadata.namespace, name: metadata.name };
    const request = { group, version, resource: name, ...where };
    const ctx = newContext(
      server,
      { verb: "delete", ...request },
      resource,
      LOOPBACK,
    );
    try {
      await server.runFrom(ctx, "decoding and defaulting");
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Changes the definition as it is stored now; nothing if it is gone. */
async function put(
  server: ApiServer,
  name: string,
  subresource: "status" | undefined,
  change: (now: Obj) => Obj,
): Promise<void> {
  const path = "customresourcedefinitions";
  const resource = server.resourceOf(GROUP, "v1", path)!;
  const now = resource.storage!.get("", name);
  if (!now) return;
  const where = { group: GROUP, version: "v1", resource: path, name };
  const body = change(now);
  const request: ApiRequest = { verb: "update", ...where, subresource, body };
  const ctx = newContext(server, request, resource, LOOPBACK);
  try {
    await server.runFrom(ctx, "decoding and defaulting");
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function withCondition(
  { kernel }: ApiServer,
  { status }: Obj,
  [is, reason, message]: readonly string[],
): JsonObject {
  const type = "Terminating";
  const { conditions, ...rest } = obj(status as Json);
  const before = list(conditions);
  const known = before.find((one) => one.type === type);
  const lastTransitionTime =
    known?.status === is ? known?.lastTransitionTime : kernel.timestamp();
  const fresh = { type, status: is, lastTransitionTime, reason, message };
  const others = before.filter((one) => one.type !== type);
  return { ...rest, conditions: [...others, fresh as JsonObject] };
}
