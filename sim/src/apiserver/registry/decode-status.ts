/**
 * The short way for the commonest write of all, a new status: only the status
 * and the metadata are decoded, since the rest is taken from the stored object
 * anyway. What is wrong with them is left to the long way to say.
 */
import { obj } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { DecodeError } from "../../api/schema/decode.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { RawBody } from "../raw-body.ts";

/** A patch that changed the status alone; undefined: decode the whole. */
export function decodePatchedStatus(
  ctx: RequestContext,
  old: JsonObject,
  next: JsonObject,
): Obj | undefined {
  if (ctx.resource.custom || next.status === old.status) return undefined;
  for (const name in next) {
    if (name !== "status" && next[name] !== old[name]) return undefined;
  }
  const status = decoded(ctx, statusStruct(ctx), next.status, old.status);
  return status && withStatus(old, status);
}

/** An update of `/status` from inside; undefined: decode the whole. */
export function decodeSentStatus(
  ctx: RequestContext,
  sent: JsonObject,
): Obj | undefined {
  const { request, resource } = ctx;
  if (request.subresource !== "status" || resource.custom) return undefined;
  if (request.body instanceof RawBody || !sent.status) return undefined;
  const { kind, apiVersion } = resource.kind;
  if (sent.kind !== kind || sent.apiVersion !== apiVersion) return undefined;
  const stored = obj(resource.storage?.get(ctx.namespace, ctx.name));
  const struct = statusStruct(ctx);
  const status = decoded(ctx, struct, sent.status, stored.status);
  const before = stored.metadata;
  const metadata = decoded(ctx, "ObjectMeta", sent.metadata, before);
  return status && metadata && withStatus({ ...sent, metadata }, status);
}

function withStatus(object: JsonObject, status: JsonObject): Obj {
  return { ...object, status } as JsonObject as Obj;
}

function statusStruct({ resource, server }: RequestContext): string {
  const { fields } = server.kinds.schemas.struct(resource.kind.struct);
  return fields.get("status")?.type.name ?? "";
}

/** Undefined if it is no such struct, or holds what the struct has not. */
function decoded(
  { server }: RequestContext,
  struct: string,
  value: Json,
  stored: Json,
): JsonObject | undefined {
  if (!/^[A-Z]/.test(struct)) return undefined;
  const { codec } = server.kinds;
  try {
    const before = stored === undefined ? undefined : obj(stored);
    const { object, unknown } = codec.decode(struct, obj(value), true, before);
    return unknown.length === 0 ? object : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
