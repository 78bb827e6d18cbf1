/**
 * A Namespace is deleted in two steps: it becomes Terminating, the namespace
 * controller empties it and takes `kubernetes` out of `spec.finalizers`, and
 * only then it goes.
 * Models: pkg/registry/core/namespace/storage/storage.go @ v1.36
 */
import { at, strings } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { specFinalizerErrors } from "../../api/kinds/namespace.ts";
import { conflict, invalidObject } from "../../api/status.ts";
import { deepFreeze, type Json } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { commitDelete, commitUpdate } from "./commit.ts";
import { decodeBody } from "./decode.ts";
import { LostRace } from "./lost-race.ts";
import { inPlace } from "./read-body.ts";
import { checkVersion } from "./validate.ts";

export function deleteNamespace(
  ctx: RequestContext,
  old: Obj,
): MaybePromise<void> {
  if (!old.metadata.deletionTimestamp) return terminate(ctx, old);
  if (finalizersOf(old).length > 0) {
    const why =
      "The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.";
    throw conflict(ctx.resource.kind, ctx.name, why);
  }
  return purge(ctx, old);
}

function finalizersOf({ spec }: Obj): readonly string[] {
  return strings(at(spec as Json, "finalizers"));
}

function terminate(ctx: RequestContext, old: Obj): MaybePromise<void> {
  const deletionTimestamp = ctx.server.kernel.timestamp();
  const metadata = { ...old.metadata, deletionTimestamp };
  const status = { ...(old.status as object), phase: "Terminating" };
  return put(ctx, { ...old, metadata, status }, old);
}

function put(ctx: RequestContext, object: Obj, old: Obj): MaybePromise<void> {
  if (ctx.dryRun) {
    ctx.response = { code: 200, body: deepFreeze(object) };
    return;
  }
  return andThen(commitUpdate(ctx, object, old), (stored) => {
    if (!stored) throw new LostRace();
    ctx.response = { code: 200, body: stored };
  });
}

function purge(ctx: RequestContext, old: Obj, body = old): MaybePromise<void> {
  return andThen(commitDelete(ctx, old), (gone) => {
    if (!gone) throw new LostRace();
    ctx.response = { code: 200, body: deepFreeze(body) };
  });
}

/** PUT …/finalize: only the finalizers change; with none left, it goes. */
export function finalizeNamespace(
  ctx: RequestContext,
  old: Obj,
): MaybePromise<void> {
  const sent = inPlace(ctx, decodeBody(ctx, ctx.resource, ctx.body));
  checkVersion(ctx, sent, old);
  const finalizers = finalizersOf(sent);
  const errors = specFinalizerErrors(finalizers);
  if (errors.length > 0)
    throw invalidObject(ctx.resource.kind, ctx.name, errors);
  const { finalizers: _, ...rest } = old.spec as { finalizers?: unknown };
  const spec = finalizers.length > 0 ? { ...rest, finalizers } : rest;
  const object = { ...old, spec };
  const held = finalizers.length + (old.metadata.finalizers?.length ?? 0);
  const goes = held === 0 && old.metadata.deletionTimestamp !== undefined;
  return goes ? purge(ctx, old, object) : put(ctx, object, old);
}
