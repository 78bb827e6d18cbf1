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
import { strategicFailure, unfit, unprocessable } from "./patch-failure.ts";

/** The stored object with the request's patch applied. */
export function applyPatch(ctx: RequestContext): Obj {
  if (ctx.request.patchType === "application/apply-patch+yaml") {
    return serverSideApply(ctx);
  }
  const { resource } = ctx;
  const old = obj(ctx.old);
  const next = patched(ctx, old, resource.kind.struct);
  const short = decodePatchedStatus(ctx, old, obj(next));
  const fail = (why: string) => unfit(ctx, next, why);
  return short ?? decodeBody(ctx, resource, next, fail);
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
      return merged(before, body);
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

function objectBody(body: Json, prefix = ""): JsonObject {
  if (typeof body === "object" && !Array.isArray(body)) {
    return body as JsonObject;
  }
  throw badRequest(prefix + undecodable(body, "map[string]interface {}"));
}

const DECODING = "error decoding patch: ";

function merged(old: JsonObject, body: Json): Json {
  const patch = objectBody(body, DECODING);
  // JSON's null is read as a map that is nil, which merges with nothing.
  if (patch === null) throw statusError(500, "", "Invalid JSON Patch");
  return mergePatch(old, patch);
}

function undecodable(body: Json, into: string) {
  const what = Array.isArray(body) ? "array" : goWords[typeof body];
  return `json: cannot unmarshal ${what} into Go value of type ${into}`;
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
  if (body === null) return old;
  const operations = operationsOf(body);
  if (operations.length > OPERATIONS_MAX) {
    const message = `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${operations.length}`;
    throw statusError(
      413,
      "RequestEntityTooLarge",
      `Request entity too large: ${message}`,
    );
  }
  try {
    return jsonPatch(old, operations);
  } catch (error) {
    if (error instanceof JsonPatchError) throw unprocessable();
    throw error;
  }
}

function operationsOf(body: Json): readonly JsonPatchOperation[] {
  const struct = "handlers.jsonPatchOp";
  if (!Array.isArray(body)) {
    throw badRequest(DECODING + undecodable(body, `[]${struct}`));
  }
  for (const operation of body as readonly Json[]) {
    if (typeof operation !== "object" || Array.isArray(operation)) {
      throw badRequest(DECODING + undecodable(operation, struct));
    }
    for (const field of ["op", "path", "from"]) {
      const value = (operation as JsonObject | null)?.[field] ?? "";
      if (typeof value === "string") continue;
      const what = undecodable(value, "string").replace(
        "value",
        `struct field jsonPatchOp.${field}`,
      );
      throw badRequest(DECODING + what);
    }
  }
  return body as readonly JsonPatchOperation[];
}

function byMergeKeys(
  ctx: RequestContext,
  old: JsonObject,
  body: Json,
  struct: string,
): Json {
  const { resource, server } = ctx;
  if (resource.custom) throw unsupported();
  const patch = objectBody(body) ?? {};
  try {
    return strategicMerge(old, patch, struct, server.kinds.schemas);
  } catch (error) {
    if (error instanceof PatchError) throw strategicFailure(error.message);
    throw error;
  }
}
