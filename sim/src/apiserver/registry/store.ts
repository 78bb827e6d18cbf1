/**
 * The last stage: the object goes to etcd. If another writer was faster, an
 * update that named its version is refused; one that did not is tried again
 * on what is stored now.
 * Models: apiserver/pkg/registry/generic/registry/store.go @ v1.36
 */
import { same } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import {
  alreadyExists,
  generateNameConflict,
  StatusError,
  staleVersion,
  statusError,
} from "../../api/status.ts";
import type { Json } from "../../api/types.ts";
import { deepFreeze } from "../../api/types.ts";
import type { RangeResponse } from "../../etcd/index.ts";
import { type RequestContext, respond } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { commitCreate, commitDelete, commitUpdate } from "./commit.ts";
import { deleteObject } from "./delete.ts";
import { eventLease } from "./event-lease.ts";
import { LostRace } from "./lost-race.ts";
import { answerReview } from "./reviews.ts";
import { served } from "./select.ts";

const RETRIES_MAX = 5;

export function store(ctx: RequestContext): MaybePromise<void> {
  const { verb } = ctx.request;
  if (verb === "delete") return deleteObject(ctx);
  if (!ctx.resource.storage) return answerReview(ctx);
  return ctx.old ? storeUpdate(ctx, ctx.old) : storeNew(ctx);
}

function storeNew(ctx: RequestContext): MaybePromise<void> {
  const object = ctx.object!;
  // What is no number, or none at all, is overlooked.
  if (Number(object.metadata.resourceVersion)) {
    const why = "resourceVersion should not be set on objects to be created";
    throw statusError(500, "", why);
  }
  const code = 201;
  if (ctx.dryRun) {
    if (taken(ctx, object)) throw nameTaken(ctx, object);
    respond(ctx, code, deepFreeze(object));
    return;
  }
  const lease = ctx.resource.kind.kind === "Event" ? eventLease(ctx.server) : 0;
  return andThen(lease, (id) =>
    andThen(commitCreate(ctx, object, id), (stored) => {
      if (!stored) throw nameTaken(ctx, object);
      return answerStored(ctx, code, stored);
    }),
  );
}

/** Says it in the version that was asked for. */
function answerStored(
  ctx: RequestContext,
  code: number,
  stored: Obj,
): MaybePromise<void> {
  return andThen(served(ctx, stored), (object) =>
    respond(ctx, code, object as Obj),
  );
}

function taken({ resource }: RequestContext, { metadata }: Obj) {
  return resource.storage!.get(metadata.namespace ?? "", metadata.name);
}

function nameTaken(ctx: RequestContext, object: Obj) {
  const { kind } = ctx.resource;
  const { name, generateName } = object.metadata;
  const sent = ctx.body as Obj | undefined;
  if (generateName && !sent?.metadata?.name) {
    return generateNameConflict(kind, name);
  }
  const error = alreadyExists(kind, name);
  if (!taken(ctx, object)?.metadata.deletionTimestamp) return error;
  const message = `object is being deleted: ${error.message}`;
  return new StatusError({ ...error.status, message });
}

function storeUpdate(ctx: RequestContext, old: Obj): MaybePromise<void> {
  const object = ctx.object!;
  const code = 200;
  if (same(object as Json, old as Json)) {
    return andThen(isCurrent(ctx, old), (current) => {
      if (!current) throw lostRace(ctx);
      respond(ctx, code, old);
    });
  }
  const last = isLastTouch(object, old);
  if (ctx.dryRun) {
    respond(ctx, code, deepFreeze(object));
    return;
  }
  if (last) {
    // The last finalizer went: what waited for it is deleted now.
    return andThen(commitDelete(ctx, old), (gone) => {
      if (!gone) throw lostRace(ctx);
      respond(ctx, code, deepFreeze(object));
    });
  }
  return andThen(commitUpdate(ctx, object, old), (stored) => {
    if (!stored) throw lostRace(ctx);
    return answerStored(ctx, code, stored);
  });
}

/** A late cache must not say that there is nothing to write: etcd is asked. */
function isCurrent(ctx: RequestContext, old: Obj): MaybePromise<boolean> {
  const { server, retries, resource } = ctx;
  if (server.immediate || retries > 0) return true;
  const { namespace = "", name, resourceVersion } = old.metadata;
  const key = resource.storage!.key(namespace, name);
  return andThen(server.etcd.range({ key }), ({ kvs }: RangeResponse) => {
    return kvs[0]?.modRevision === Number(resourceVersion);
  });
}

/** True if the object was only waiting for its finalizers to be gone. */
function isLastTouch({ metadata }: Obj, old: Obj): boolean {
  if (!old.metadata.deletionTimestamp) return false;
  if ((metadata.finalizers?.length ?? 0) > 0) return false;
  if ((old.metadata.finalizers?.length ?? 0) === 0) return false;
  return (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

function lostRace(ctx: RequestContext): Error {
  const sent = ctx.body as Obj | undefined;
  const named = ctx.request.verb === "update" && sent?.metadata.resourceVersion;
  if (named || ctx.retries >= RETRIES_MAX) {
    return staleVersion(ctx.resource.kind, ctx.name);
  }
  return new LostRace();
}
