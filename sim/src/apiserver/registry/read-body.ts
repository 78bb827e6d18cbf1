/**
 * From the body of a request to the object that it means: types checked,
 * unknown fields named, defaults filled in, a patch applied.
 * Models: apiserver/pkg/endpoints/handlers/{create,update,rest}.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { badRequest, conflict, statusError } from "../../api/status.ts";
import type { KubeObject, ObjectMeta } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { decodeBody } from "./decode.ts";
import { decodeSentStatus } from "./decode-status.ts";
import { trackFields } from "./managed-fields.ts";
import { applyPatch } from "./patch.ts";

/** A create or an update: the body is the object. */
export function readBody(ctx: RequestContext): void {
  const { verb } = ctx.request;
  if (verb === "create") {
    if (ctx.resource.closed?.()) throw closed();
    const object = decodeBody(ctx, ctx.resource, ctx.body);
    ctx.object = inNamespace(wiped(object), ctx.namespace);
    ctx.name = ctx.object.metadata.name ?? "";
  } else if (verb === "update") {
    const object =
      decodeSentStatus(ctx, obj(ctx.body)) ??
      decodeBody(ctx, ctx.resource, ctx.body);
    ctx.object = inPlace(ctx, object);
  }
}

function closed() {
  const why =
    "create not allowed while custom resource definition is terminating";
  return statusError(405, "MethodNotAllowed", why, {});
}

/** A patch: the body says how the stored object changes. */
export function patchObject(ctx: RequestContext): void {
  if (ctx.request.verb === "patch") {
    ctx.object = inPlace(ctx, patchedObject(ctx, applyPatch(ctx)));
  }
  if (ctx.object) trackFields(ctx);
}

/** An object that is made by a patch has nothing of the server's own. */
function patchedObject(ctx: RequestContext, object: Obj): Obj {
  if (ctx.old) return object;
  const { uid } = object.metadata;
  if (!uid) return wiped(object);
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(ctx.resource.kind, ctx.name, why);
}

/** What only the server may say of a new object is taken out. */
function wiped(object: Obj): Obj {
  const m = object.metadata;
  const said =
    m.uid ||
    m.creationTimestamp ||
    m.deletionTimestamp ||
    m.deletionGracePeriodSeconds !== undefined;
  if (!said) return object;
  const {
    uid: _uid,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    ...kept
  } = m;
  return { ...object, metadata: kept };
}

/** The namespace of the URL; another one in the body is refused. */
function inNamespace(object: Obj, wanted: string): Obj {
  const { namespace = "" } = object.metadata;
  if (namespace === wanted) return object;
  if (namespace !== "" && wanted !== "") {
    const why =
      "the namespace of the provided object does not match the namespace sent on the request";
    throw badRequest(why);
  }
  return withNamespace(object, wanted);
}

function withNamespace<T extends KubeObject>(object: T, namespace: string): T {
  const { namespace: _, ...rest } = object.metadata;
  const metadata: ObjectMeta = namespace ? { ...rest, namespace } : rest;
  return { ...object, metadata };
}

/** An object that is sent instead of the one that the URL names. */
export function inPlace(ctx: RequestContext, object: Obj): Obj {
  return checkIdentity(ctx, inNamespace(object, ctx.namespace));
}

/** The object must be the one that the URL names. */
function checkIdentity(ctx: RequestContext, object: Obj): Obj {
  const { name } = object.metadata;
  if (!name) {
    const based = `(${ctx.name} based on URL)`;
    throw badRequest(
      `the name of the object ${based} was undeterminable: name must be provided`,
    );
  }
  if (name !== ctx.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${ctx.name})`,
    );
  }
  return object;
}
