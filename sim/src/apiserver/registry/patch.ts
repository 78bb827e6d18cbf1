/**
 * The four kinds of patch, applied to the stored object.
 * Models: apiserver/pkg/endpoints/handlers/patch.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { PatchError } from "../../api/patch/directives.ts";
import {
  JsonPatchError,
  type JsonPatchOperation,
  jsonPatch,
} from "../../api/patch/json.ts";
import { mergePatch } from "../../api/patch/merge.ts";
import { strategicMerge } from "../../api/patch/strategic.ts";
import { badRequest, statusError } from "../../api/status.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { serverSideApply } from "./apply.ts";
import { decodeBody } from "./decode.ts";
import { decodePatchedStatus } from "./decode-status.ts";

/** The stored object with the request's patch applied. */
export function applyPatch(ctx: RequestContext): Obj {
  if (ctx.request.patchType === "application/apply-patch+yaml") {
    return serverSideApply(ctx);
  }
  const { resource } = ctx;
  const old = obj(ctx.old);
  const next = patched(ctx, old, resource.kind.struct);
  const short = decodePatchedStatus(ctx, old, obj(next));
  return short ?? decodeBody(ctx, resource, next);
}

/** `before`, of the struct of that name, with the request's patch applied. */
export function patched(
  ctx: RequestContext,
  before: JsonObject,
  struct: string,
): Json {
  const { body } = ctx;
  switch (ctx.request.patchType) {
    case "application/json-patch+json":
      return byOperations(before, body);
    case "application/merge-patch+json":
      return mergePatch(before, objectBody(body));
    case "application/strategic-merge-patch+json":
      return byMergeKeys(ctx, before, body, struct);
    default:
      throw unsupported();
  }
}

/** 415 of a patch type that the resource does not take. */
export function unsupported() {
  const message = "415: Unsupported Media Type";
  return statusError(415, "UnsupportedMediaType", message, {});
}

function objectBody(body: Json): JsonObject {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    return body as JsonObject;
  }
  throw undecodable(body, "map[string]interface {}");
}

function undecodable(body: Json, into: string) {
  const what = Array.isArray(body) ? "array" : goWords[typeof body];
  const why = `json: cannot unmarshal ${what} into Go value of type ${into}`;
  return badRequest(`error decoding patch: ${why}`);
}

const goWords: { readonly [type: string]: string } = {
  boolean: "bool",
  number: "number",
  string: "string",
  object: "object",
};

/** Most operations in one JSON patch. */
const OPERATIONS_MAX = 10_000;

function byOperations(old: JsonObject, body: Json): Json {
  if (!Array.isArray(body)) throw undecodable(body, "[]interface {}");
  if (body.length > OPERATIONS_MAX) {
    const message = `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${body.length}`;
    throw statusError(
      413,
      "RequestEntityTooLarge",
      `Request entity too large: ${message}`,
    );
  }
  try {
    return jsonPatch(old, body as readonly JsonPatchOperation[]);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    // Upstream does not say which operation it was.
    const message =
      "the server rejected our request due to an error in our request";
    throw statusError(422, "Invalid", message, {});
  }
}

function byMergeKeys(
  ctx: RequestContext,
  old: JsonObject,
  body: Json,
  struct: string,
): Json {
  const { resource, server } = ctx;
  if (resource.custom) throw unsupported();
  try {
    return strategicMerge(old, objectBody(body), struct, server.kinds.schemas);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw badRequest(error.message);
  }
}
