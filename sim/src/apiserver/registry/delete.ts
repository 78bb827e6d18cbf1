/**
 * Deleting: at once, or first marked with a time (Pods get time to end), or
 * held until the finalizers are gone. Which finalizers the garbage collector
 * needs follows from the propagation policy.
 * Models: apiserver/pkg/registry/generic/registry/store.go (Delete),
 *         apiserver/pkg/registry/rest/delete.go @ v1.36
 * Try:    ignore the finalizers, and delete a PersistentVolumeClaim in use.
 */
import { same } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { conflict } from "../../api/status.ts";
import type { RequestOptions } from "../../api/transport.ts";
import { deepFreeze, type Json, type Status } from "../../api/types.ts";
import { type RequestContext, respond } from "../context.ts";
import { markDefinition } from "../extensions/deletion.ts";
import { andThen, type MaybePromise } from "../maybe.ts";
import { commitDelete, commitUpdate } from "./commit.ts";
import { graceSecondsOf } from "./grace.ts";
import { LostRace } from "./lost-race.ts";
import { deleteNamespace } from "./namespace.ts";
import type { Resource } from "./resource.ts";

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

export function deleteObject(ctx: RequestContext): MaybePromise<void> {
  const old = ctx.old!;
  const { kind } = ctx.resource;
  checkPreconditions(ctx.options, ctx.resource, old);
  if (kind.kind === "Namespace") return deleteNamespace(ctx, old);
  const isDefinition = kind.resource === "customresourcedefinitions";
  if (isDefinition && !old.metadata.deletionTimestamp) {
    return markDefinition(ctx, old);
  }
  if (kind.resource === "jobs" && !ctx.options.propagationPolicy) {
    ctx.warnings.push(JOB_WARNING);
  }
  const finalizers = finalizersFor(old, kind.resource, ctx.options);
  const graceSeconds = graceSecondsOf(old, ctx.options);
  if (finalizers.length === 0 && graceSeconds === 0) {
    return removeNow(ctx, old);
  }
  return mark(ctx, old, finalizers, graceSeconds);
}

/** Throws 409 if `old` is not the object that the client meant. */
export function checkPreconditions(
  { preconditions = {} }: RequestOptions,
  { kind }: Pick<Resource, "kind">,
  old: Obj,
): void {
  const { uid, resourceVersion } = preconditions;
  const { name } = old.metadata;
  // The errors of preconditions name the kind, not the resource.
  const about = { group: kind.group, resource: kind.kind };
  if (uid !== undefined && uid !== old.metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(about, name, why);
  }
  const stored = old.metadata.resourceVersion;
  if (resourceVersion !== undefined && resourceVersion !== stored) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${stored}). The object might have been modified`;
    throw conflict(about, name, why);
  }
}

// region: finalizers
/** The object's finalizers, with those that the policy adds or drops. */
function finalizersFor(
  { metadata }: Obj,
  resource: string,
  { propagationPolicy }: RequestOptions,
): readonly string[] {
  const held = metadata.finalizers ?? [];
  const others = held.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  switch (propagationPolicy) {
    case "Orphan":
      return [...others, ORPHAN];
    case "Foreground":
      return [...others, FOREGROUND];
    case "Background":
      return others.length === held.length ? held : others;
    default:
      // Nothing said: what the object itself asks for, else its kind.
      if (others.length < held.length) return held;
      return orphansByDefault(resource) ? [...others, ORPHAN] : held;
  }
}
// endregion: finalizers

/** Kinds that left their Pods behind before anybody could say otherwise. */
function orphansByDefault(resource: string): boolean {
  return resource === "replicationcontrollers" || resource === "jobs";
}

const JOB_WARNING =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

/** Sets the time of deletion; the object goes when nothing holds it. */
function mark(
  ctx: RequestContext,
  old: Obj,
  finalizers: readonly string[],
  graceSeconds: number,
): MaybePromise<void> {
  const object = marked(ctx, old, finalizers, graceSeconds);
  // Who says it in the old form is told that it takes longer.
  const code = ctx.options.orphanDependents === false ? 202 : 200;
  const answer = (body: Obj) => respond(ctx, code, body);
  if (same(object as Json, old as Json)) return answer(old);
  if (ctx.dryRun) return answer(deepFreeze(object));
  return andThen(commitUpdate(ctx, object, old), (stored) => {
    if (!stored) throw new LostRace();
    answer(stored);
  });
}

function marked(
  ctx: RequestContext,
  old: Obj,
  finalizers: readonly string[],
  graceSeconds: number,
): Obj {
  const { kernel } = ctx.server;
  const m = old.metadata;
  const { finalizers: _, ...rest } = m;
  const metadata = finalizers.length > 0 ? { ...rest, finalizers } : rest;
  const shorter =
    m.deletionTimestamp === undefined ||
    graceSeconds < (m.deletionGracePeriodSeconds ?? 0);
  if (!shorter) return { ...old, metadata };
  const first = m.deletionTimestamp === undefined;
  const askedAtMs = first
    ? kernel.now()
    : kernel.msOf(m.deletionTimestamp!) -
      (m.deletionGracePeriodSeconds ?? 0) * 1000;
  const deletionTimestamp = kernel.timestamp(askedAtMs + graceSeconds * 1000);
  const generation =
    first && m.generation ? { generation: m.generation + 1 } : {};
  return {
    ...old,
    metadata: {
      ...metadata,
      ...generation,
      deletionTimestamp,
      deletionGracePeriodSeconds: graceSeconds,
    },
  };
}

/**
 * Takes the object out. Pods are given time to stop; one that has none says
 * so first, in a write of its own.
 */
function removeNow(ctx: RequestContext, old: Obj): MaybePromise<void> {
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  const said = deletionTimestamp && deletionGracePeriodSeconds === 0;
  const isPod = ctx.resource.kind.kind === "Pod";
  if (!isPod || said || ctx.dryRun) return remove(ctx, old);
  const object = marked(ctx, old, [], 0);
  return andThen(commitUpdate(ctx, object, old), (stored) => {
    if (!stored) throw new LostRace();
    return remove(ctx, stored);
  });
}

/** Takes the object out of etcd. */
export function remove(ctx: RequestContext, old: Obj): MaybePromise<void> {
  if (ctx.dryRun) {
    respond(ctx, 200, deletedAnswer(ctx, old));
    return;
  }
  return andThen(commitDelete(ctx, old), (gone) => {
    if (!gone) throw new LostRace();
    respond(ctx, 200, deletedAnswer(ctx, gone));
  });
}

/** Pods and a few more are given back; of others only that they are gone. */
function deletedAnswer(ctx: RequestContext, gone: Obj): Obj | Status {
  const { kind } = ctx.resource;
  if (RETURNED.has(kind.resource)) return returned(ctx, gone);
  const { name, uid } = gone.metadata;
  const group = kind.group ? { group: kind.group } : {};
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...group, kind: kind.resource, uid },
  };
}

/** ReturnDeletedObject of the kinds' registries. */
const RETURNED: ReadonlySet<string> = new Set([
  ...["pods", "podtemplates", "resourcequotas", "serviceaccounts"],
  ...["persistentvolumes", "persistentvolumeclaims", "storageclasses"],
  ...["csidrivers", "csinodes", "volumeattachments"],
]);

/** A Pod that was given time says that it has none left. */
function returned(ctx: RequestContext, gone: Obj): Obj {
  if (ctx.resource.kind.kind !== "Pod") return gone;
  const metadata = {
    ...gone.metadata,
    deletionTimestamp: ctx.server.kernel.timestamp(),
    deletionGracePeriodSeconds: 0,
  };
  return deepFreeze({ ...gone, metadata });
}
