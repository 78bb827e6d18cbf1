/**
 * Answers get and list, from the watch cache. Only what asks for an older
 * revision, or for the next page of a list, goes to etcd.
 * Models: apiserver/pkg/registry/generic/registry/store.go (List),
 *         apiserver/pkg/storage/cacher/{cacher,delegator}.go @ v1.36
 */
import type { Obj } from "../../api/kinds/definition.ts";
import { notFound } from "../../api/status.ts";
import type { RangeResponse } from "../../etcd/index.ts";
import { type RequestContext, respond } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { answerComponentStatus } from "./component-status.ts";
import { checkListOptions, checkRevision } from "./list-options.ts";
import { listPage } from "./list-page.ts";
import { served } from "./select.ts";
import { selectionOf } from "./selection.ts";

export function answerReads(ctx: RequestContext): MaybePromise<void> {
  const { verb, subresource } = ctx.request;
  if (!ctx.resource.storage) return answerUnstored(ctx);
  if (verb === "list") return list(ctx);
  if (verb !== "get" || (subresource && subresource !== "status")) return;
  return answerObject(ctx);
}

/** The object of the request's name, or 404. */
export function answerObject(ctx: RequestContext): MaybePromise<void> {
  return andThen(getObject(ctx), (object) => {
    if (!object) throw notFound(ctx.resource.kind, ctx.name);
    return andThen(served(ctx, object), (body) => {
      respond(ctx, 200, body);
    });
  });
}

function answerUnstored(ctx: RequestContext): MaybePromise<void> {
  const { kind } = ctx.resource.kind;
  if (kind === "ComponentStatus") return answerComponentStatus(ctx);
}

/** The object that the URL names, as fresh as was asked for. */
function getObject(ctx: RequestContext): MaybePromise<Obj | undefined> {
  const storage = ctx.resource.storage!;
  const { immediate, etcd } = ctx.server;
  const any = ctx.options.resourceVersion === "0";
  if (!any) checkRevision(ctx);
  if (any || immediate) {
    // A read that must be certain fails with etcd, even from the cache.
    if (!any) etcd.ping();
    storage.cache.served++;
    return storage.get(ctx.namespace, ctx.name);
  }
  const key = storage.key(ctx.namespace, ctx.name);
  return andThen(ctx.server.etcd.range({ key }), ({ kvs }: RangeResponse) => {
    return kvs[0]?.value as Obj | undefined;
  });
}

// region: list
function list(ctx: RequestContext): MaybePromise<void> {
  const selection = selectionOf(ctx, checkListOptions);
  if (!ctx.options.continue) checkRevision(ctx, true);
  return andThen(ctx.server.freshRevision(ctx), (revision) =>
    andThen(listPage(ctx, selection, revision), (page) => {
      const { kind, fromStorage } = ctx.resource;
      const found = fromStorage ? fromStorage(page.items) : page.items;
      return andThen(found, (items) => {
        const body = {
          kind: `${kind.kind}List`,
          apiVersion: kind.apiVersion,
          metadata: page.metadata,
          items,
        };
        respond(ctx, 200, body);
      });
    }),
  );
}
// endregion: list
