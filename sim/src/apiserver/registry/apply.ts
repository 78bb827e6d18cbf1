/**
 * Server-side apply: the client says which fields it wants, the server knows
 * who else wants something, and refuses what would take it from them.
 * Models: applyPatcher of apiserver/pkg/endpoints/handlers/patch.go @ v1.36
 */
import { obj } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { applyConfig } from "../../api/patch/apply/fields.ts";
import { rootPlace } from "../../api/patch/apply/shape.ts";
import { typeErrors } from "../../api/patch/apply/type-errors.ts";
import { badRequest, statusError } from "../../api/status.ts";
import type { JsonObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { decodeBody } from "./decode.ts";
import { kindOf, writerOf } from "./managed-fields.ts";

export function serverSideApply(ctx: RequestContext): Obj {
  const { resource, options } = ctx;
  const { kind } = resource;
  const config = checkedConfig(ctx, obj(ctx.body));
  const live = ctx.old ? obj(ctx.old) : undefined;
  const { force = false } = options;
  const applied = applyConfig(live, config, writerOf(ctx), force, kindOf(ctx));
  const whole = { ...applied, kind: kind.kind, apiVersion: kind.apiVersion };
  const { name, namespace } = ctx;
  const where = namespace ? { name, namespace } : { name };
  const metadata = { ...where, ...obj(applied.metadata) };
  return decodeBody(ctx, resource, { ...whole, metadata });
}

/** The configuration with its types checked, and without defaults. */
function checkedConfig(ctx: RequestContext, config: JsonObject): JsonObject {
  const { kind } = ctx.resource;
  const version = String(config.apiVersion ?? "");
  const sentKind = String(config.kind ?? "");
  if (version !== kind.apiVersion || sentKind !== kind.kind) {
    const whole = version.includes("/") ? version : `/${version}`;
    throw badRequest(`invalid object type: ${whole}, Kind=${sentKind}`);
  }
  if (obj(config.metadata).managedFields !== undefined) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const problem = typeProblem(ctx, config);
  if (problem === "") return config;
  const object = ctx.namespace
    ? `${ctx.namespace}/${ctx.name}`
    : `/${ctx.name}`;
  const gvk = `${kind.apiVersion}, Kind=${kind.kind}`;
  throw statusError(
    500,
    "",
    `failed to create typed patch object (${object}; ${gvk}): ${problem}`,
  );
}

/** A custom kind's own schema says which fields there are. */
function typeProblem(ctx: RequestContext, config: JsonObject): string {
  const { resource, server } = ctx;
  if (!resource.custom) {
    const { schemas } = server.kinds;
    return typeErrors(rootPlace(schemas, resource.kind.struct), config);
  }
  const [field] = resource.decode(config, false).unknown;
  return field === undefined ? "" : `.${field}: field not declared in schema`;
}
