/**
 * Before an object is stored: the server's own fields are filled in, what is
 * not the client's to set is put back, then everything is checked at once, so
 * that the answer names all that is wrong.
 * Models: apiserver/pkg/registry/rest/{create,update}.go,
 *         apiserver/pkg/registry/generic/registry/store.go @ v1.36
 */

import { invalid } from "../../api/field-error.ts";
import { quote } from "../../api/go-text.ts";
import { withFields } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import {
  conflict,
  invalidObject,
  staleVersion,
  statusError,
} from "../../api/status.ts";
import type { StageDetail } from "../../api/transport.ts";
import type { ObjectMeta } from "../../api/types.ts";
import { warningsOf } from "../../api/warnings/index.ts";
import { LOOPBACK, MASTERS } from "../authentication/user.ts";
import { confirmNoEscalation } from "../authorization/escalation.ts";
import { type RequestContext, recordStage } from "../context.ts";
import { beginCreate, beginUpdate } from "./service/hooks.ts";

const RBAC = "rbac.authorization.k8s.io";

export function validate(ctx: RequestContext): void {
  const { object } = ctx;
  if (!object || !ctx.resource.storage) return;
  if (ctx.request.group === RBAC && !ctx.user.groups.includes(MASTERS))
    confirmNoEscalation(ctx);
  const before = object;
  const errors = ctx.old
    ? checkUpdate(ctx, object, ctx.old)
    : checkNew(ctx, object);
  if (errors.length === 0) {
    if (isHeard(ctx)) warn(ctx);
    recordStage(ctx, "validate", validBy(ctx.resource.kind));
    return;
  }
  const { kind } = ctx.resource;
  const name = (ctx.object ?? before).metadata.name ?? "";
  const refusal = invalidObject(kind, name, errors);
  recordStage(ctx, "validate", {
    verdict: "deny",
    by: kind.kind,
    message: refusal.message,
  });
  throw refusal;
}

/** Only clients that people sit at show warnings; they name themselves. */
function isHeard({ trackFields, request, user }: RequestContext): boolean {
  return trackFields && !request.subresource && user !== LOOPBACK;
}

/** Each warning is told once, also if the change is tried again. */
function warn({ resource, object, old, warnings }: RequestContext): void {
  for (const warning of warningsOf(resource.kind, object!, old)) {
    if (!warnings.includes(warning)) warnings.push(warning);
  }
}

/** What is told of a valid object, once a kind. */
const valid = new WeakMap<Kind, StageDetail>();

function validBy(kind: Kind): StageDetail {
  const known = valid.get(kind);
  if (known) return known;
  const detail: StageDetail = { verdict: "allow", by: kind.kind };
  valid.set(kind, Object.freeze(detail));
  return detail;
}

function checkNew(ctx: RequestContext, sent: Obj) {
  const { kind } = ctx.resource;
  let object: Obj = { ...sent, metadata: systemFields(ctx, sent.metadata) };
  ctx.name = object.metadata.name;
  if (kind.resource === "services") object = beginCreate(ctx, object);
  object = kind.strategy.prepareForCreate(object) as Obj;
  object = kind.strategy.madeBy?.(object, ctx.user) ?? object;
  ctx.object = object;
  return kind.validateCreate(object);
}

/** uid, creation time, and a name if only a beginning of one was sent. */
function systemFields(ctx: RequestContext, sent: ObjectMeta): ObjectMeta {
  const { kernel } = ctx.server;
  const metadata = {
    ...sent,
    uid: ctx.uid ?? kernel.uid(),
    creationTimestamp: kernel.timestamp(),
  };
  if (!sent.name && sent.generateName) {
    metadata.name = generatedName(ctx, sent.generateName);
  }
  return metadata;
}

/** Longest beginning that leaves room for the five random letters. */
const GENERATE_BASE_MAX = 58;

export function generatedName(ctx: RequestContext, base: string): string {
  const { names } = ctx.server;
  return base.slice(0, GENERATE_BASE_MAX) + names.suffix();
}

function checkUpdate(ctx: RequestContext, sent: Obj, old: Obj) {
  const { kind } = ctx.resource;
  checkVersion(ctx, sent, old);
  const metadata = keptFields(sent.metadata, old.metadata);
  let object = metadata === sent.metadata ? sent : { ...sent, metadata };
  const { subresource = "" } = ctx.request;
  const change = kind.strategy.changes?.[subresource];
  if (change) {
    const now = ctx.server.kernel.timestamp();
    ctx.object = change.prepare(object, old, now);
    return change.errors(ctx.object, old);
  }
  if (subresource === "status") {
    ctx.object = kind.strategy.prepareForStatusUpdate(object, old) as Obj;
    return kind.validateStatusUpdate(ctx.object, old);
  }
  if (kind.resource === "services") object = beginUpdate(ctx, object, old);
  ctx.object = kind.strategy.prepareForUpdate(object, old) as Obj;
  return kind.validateUpdate(ctx.object, old);
}

/** An update must be of the newest version, and of the same object. */
export function checkVersion(ctx: RequestContext, sent: Obj, old: Obj): void {
  const { kind } = ctx.resource;
  const { uid, resourceVersion } = sent.metadata;
  if (uid && uid !== old.metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
    throw conflict(kind, ctx.name, why);
  }
  if (!resourceVersion || resourceVersion === "0") {
    if (kind.strategy.allowUnconditionalUpdate) return;
    const why = "must be specified for an update";
    const error = invalid("metadata.resourceVersion", 0, why);
    throw invalidObject(kind, ctx.name, [error]);
  }
  if (resourceVersion === old.metadata.resourceVersion) return;
  if (/^\d+$/.test(resourceVersion)) throw staleVersion(kind, ctx.name);
  const parse = `parsing ${quote(resourceVersion)}: invalid syntax`;
  throw statusError(500, "", `strconv.ParseUint: ${parse}`);
}

/** What an update cannot change is as it was, whatever was sent. */
function keptFields(sent: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const kept: Partial<ObjectMeta> = {
    uid: old.uid,
    resourceVersion: old.resourceVersion,
    creationTimestamp: old.creationTimestamp,
  };
  const metadata = withFields<ObjectMeta>(sent, kept);
  const grace =
    metadata.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds;
  if (
    metadata.generation === old.generation &&
    metadata.deletionTimestamp === old.deletionTimestamp &&
    metadata.deletionGracePeriodSeconds === grace
  ) {
    return metadata;
  }
  const { generation: _g, deletionTimestamp: _d, ...rest } = metadata;
  return {
    ...rest,
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(old.deletionTimestamp
      ? { deletionTimestamp: old.deletionTimestamp }
      : {}),
    ...(grace === undefined ? {} : { deletionGracePeriodSeconds: grace }),
  };
}
