/**
 * Reads the stored object that a write is about. From the cache; from etcd
 * itself when a race was lost and the cache may be late.
 * Models: GuaranteedUpdate of apiserver/pkg/storage/etcd3/store.go @ v1.36
 */
import type { Obj } from "../../api/kinds/definition.ts";
import { notFound } from "../../api/status.ts";
import type { RangeResponse } from "../../etcd/index.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { served } from "./select.ts";

export function loadObject(ctx: RequestContext): MaybePromise<void> {
  const { verb } = ctx.request;
  const { storage } = ctx.resource;
  if (!storage || verb === "create" || verb === "deletecollection") return;
  return andThen(currentObject(ctx), (old) => {
    if (!old && !mayCreate(ctx)) throw notFound(ctx.resource.kind, ctx.name);
    if (!ctx.resource.fromStorage) {
      ctx.old = old;
      return;
    }
    return andThen(old && served(ctx, old), (one) => {
      ctx.old = one as Obj | undefined;
    });
  });
}

function currentObject(ctx: RequestContext): MaybePromise<Obj | undefined> {
  const storage = ctx.resource.storage!;
  const cached = storage.get(ctx.namespace, ctx.name);
  if (ctx.server.immediate || isFreshEnough(ctx, cached)) return cached;
  const key = storage.key(ctx.namespace, ctx.name);
  return andThen(ctx.server.etcd.range({ key }), ({ kvs }: RangeResponse) => {
    return kvs[0]?.value as Obj | undefined;
  });
}

/** A late cache must not refuse what etcd would take. */
function isFreshEnough(ctx: RequestContext, cached: Obj | undefined): boolean {
  if (!cached || ctx.retries > 0) return false;
  const sent = ctx.object?.metadata.resourceVersion;
  return !sent || sent === cached.metadata.resourceVersion;
}

/** PUT makes a few kinds anew, server-side apply all. */
function mayCreate({ request, resource }: RequestContext): boolean {
  if (request.subresource) return false;
  if (request.verb === "update")
    return resource.kind.strategy.allowCreateOnUpdate;
  return (
    request.verb === "patch" &&
    request.patchType === "application/apply-patch+yaml"
  );
}
