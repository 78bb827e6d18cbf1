/**
 * The options of a delete: in its body or, without one, in the URL.
 * Models: apiserver/pkg/endpoints/handlers/delete.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import { statusError } from "../../api/status.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { goTypeName } from "./decode.ts";
import { checkListOptions, checkNumbers } from "./list-options.ts";
import { checkOptions } from "./request-options.ts";
import { selectionOf } from "./selection.ts";

/** Throws 400 or 422; 500 for a body that is no DeleteOptions. */
export function readDelete(ctx: RequestContext): void {
  if (ctx.request.verb === "deletecollection") {
    selectionOf(ctx, checkListOptions);
  }
  if (ctx.body === undefined) checkNumbers(ctx.options, "gracePeriodSeconds");
  else ctx.options = { ...ofLists(ctx.options), ...sentIn(ctx.body) };
  checkOptions(ctx);
  const { orphanDependents: orphans, dryRun = [] } = ctx.options;
  ctx.dryRun = dryRun.length > 0;
  if (orphans === undefined || ctx.options.propagationPolicy) return;
  const propagationPolicy = orphans ? "Orphan" : "Background";
  ctx.options = { ...ctx.options, propagationPolicy };
}

/** What a body says counts alone: these are not its business. */
function ofLists(options: RequestOptions): RequestOptions {
  const {
    dryRun: _run,
    gracePeriodSeconds: _grace,
    orphanDependents: _orphans,
    preconditions: _conditions,
    propagationPolicy: _policy,
    ...rest
  } = options;
  return rest;
}

function sentIn(body: Json): RequestOptions {
  const { kind: _k, apiVersion: _v, ...sent } = obj(body);
  const options: Record<string, Json> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) continue;
    checkType(name, value);
    options[name] = value;
  }
  return options as JsonObject as RequestOptions;
}

const TYPES: { readonly [name: string]: readonly [string, string] } = {
  gracePeriodSeconds: ["number", "int64"],
  orphanDependents: ["boolean", "bool"],
  propagationPolicy: ["string", "v1.DeletionPropagation"],
};

function checkType(name: string, value: Json): void {
  const [type, goType] = TYPES[name] ?? [];
  if (type === undefined || typeof value === type) return;
  throw statusError(
    500,
    "",
    `json: cannot unmarshal ${goTypeName(value)} into Go struct field DeleteOptions.${name} of type ${goType}`,
  );
}
