/**
 * Writing to etcd: every create, update and delete is one transaction that
 * holds only if the object is still at the revision that it was read at. The
 * new object learns its resourceVersion from the transaction itself.
 * Models: apiserver/pkg/storage/etcd3/store.go @ v1.36
 */
import type { Obj } from "../../api/kinds/definition.ts";
import type { WriteDetail } from "../../api/transport.ts";
import { deepFreeze } from "../../api/types.ts";
import type { TxnResponse } from "../../etcd/index.ts";
import type { RequestContext } from "../context.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { writeText } from "../wordings.ts";
import { versioned } from "./cache-event.ts";

/** Stores a new object; undefined if one of that name is there already. */
export function commitCreate(
  ctx: RequestContext,
  object: Obj,
  lease = 0,
): MaybePromise<Obj | undefined> {
  return commitPut(ctx, object, undefined, lease);
}

/** Replaces `old`; undefined if it is no longer what is stored. */
export function commitUpdate(
  ctx: RequestContext,
  object: Obj,
  old: Obj,
): MaybePromise<Obj | undefined> {
  return commitPut(ctx, object, old, 0);
}

function commitPut(
  ctx: RequestContext,
  object: Obj,
  old: Obj | undefined,
  lease: number,
): MaybePromise<Obj | undefined> {
  const { toStorage } = ctx.resource;
  if (!toStorage) return putStored(ctx, object, old, lease);
  return andThen(toStorage(object), (stored) =>
    putStored(ctx, stored, old, lease),
  );
}

function putStored(
  ctx: RequestContext,
  object: Obj,
  old: Obj | undefined,
  lease: number,
): MaybePromise<Obj | undefined> {
  const { namespace, name } = object.metadata;
  const storage = ctx.resource.storage!;
  const key = storage.key(namespace ?? "", name);
  // Ours alone until it is stored: the revision may still be written into it.
  const metadata = { ...object.metadata, resourceVersion: "" };
  const fresh: Obj = { ...object, metadata };
  const type = old ? "MODIFIED" : "ADDED";
  const { causeId } = ctx.server.kernel;
  const answer = ctx.server.etcd.txn({
    compare: [compareWith(key, old)],
    // biome-ignore lint/suspicious/noThenProperty: the field of etcd's request
    then: [{ put: { key, value: fresh, lease } }],
    else: [],
    onApply(revision) {
      metadata.resourceVersion = String(revision);
      deepFreeze(fresh);
      recordWrite(ctx, key, revision, { type, before: old, after: fresh });
    },
  });
  return andThen(answer, ({ succeeded }: TxnResponse) => {
    ctx.server.kernel.causeId = causeId;
    return succeeded ? fresh : undefined;
  });
}

/** Deletes `old`; undefined if it is no longer what is stored. */
export function commitDelete(
  ctx: RequestContext,
  old: Obj,
): MaybePromise<Obj | undefined> {
  const { namespace, name } = old.metadata;
  const storage = ctx.resource.storage!;
  const key = storage.key(namespace ?? "", name);
  const { causeId } = ctx.server.kernel;
  const answer = ctx.server.etcd.txn({
    compare: [compareWith(key, old)],
    // biome-ignore lint/suspicious/noThenProperty: the field of etcd's request
    then: [{ deleteRange: { key } }],
    else: [],
    onApply(revision) {
      recordWrite(ctx, key, revision, { type: "DELETED", before: old });
    },
  });
  return andThen(answer, ({ succeeded, revision }: TxnResponse) => {
    ctx.server.kernel.causeId = causeId;
    return succeeded ? (versioned(old, revision) as Obj) : undefined;
  });
}

function compareWith(key: string, old: Obj | undefined) {
  const value = old ? Number(old.metadata.resourceVersion) : 0;
  return { key, target: "modRevision", is: "=", value } as const;
}

/** What follows from the write has it as its cause. */
function recordWrite(
  ctx: RequestContext,
  key: string,
  revision: number,
  detail: WriteDetail,
): void {
  const { kernel, actor, etcdActor, writeListeners, compactor } = ctx.server;
  compactor.touch();
  kernel.record(actor, "txn", key, etcdActor, { revision });
  // A thin trace keeps no detail from which it could be worded later.
  const subject = kernel.trace.level === "full" ? null : writeText(detail);
  kernel.causeId = kernel.record(actor, "write", subject, "", detail);
  for (const listener of writeListeners) listener(detail);
}
