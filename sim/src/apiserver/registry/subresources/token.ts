/**
 * TokenRequest: a token for a ServiceAccount, bound to it and, if asked, to a
 * Pod, a Node or a Secret.
 * Models: pkg/registry/core/serviceaccount/storage/token.go @ v1.36
 */
import { invalid } from "../../../api/field-error.ts";
import { num, obj, strings } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { conflict, invalidObject } from "../../../api/status.ts";
import { deepFreeze, type JsonObject } from "../../../api/types.ts";
import { admit, mutate } from "../../admission/stages.ts";
import { type Claims, ISSUER } from "../../authentication/service-account.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { decodeBody } from "../decode.ts";
import { loadObject } from "../load.ts";
import { trackFields } from "../managed-fields.ts";
import { boundTo } from "./token-bound.ts";

const HOUR_SECONDS = 3600;
/** Tokens of Pods live longer than they say, to spare old clients. */
const WARN_AFTER_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * HOUR_SECONDS;

export function answerToken(ctx: RequestContext): MaybePromise<void> {
  const request = { ...ctx.request, verb: "patch" as const };
  const reading = { ...ctx, request };
  return andThen(loadObject(reading), () => grant(ctx, reading.old!));
}

/** Admission sees the request for a token, not the account. */
function grant(ctx: RequestContext, account: Obj): MaybePromise<void> {
  const { body, server } = ctx;
  ctx.object = tracked(ctx, decodeBody(ctx, server.tokenResource, body));
  return andThen(mutate(ctx), () => {
    checkAccount(ctx, account, ctx.object!);
    checkDuration(ctx, ctx.object!);
    return andThen(admit(ctx), () => sign(ctx, account, ctx.object!));
  });
}

function sign(ctx: RequestContext, account: Obj, asked: Obj): void {
  const { server } = ctx;
  const spec = obj(asked.spec);
  const seconds = secondsOf(asked);
  const asksFor = strings(spec.audiences);
  const audiences = asksFor.length > 0 ? asksFor : [ISSUER];
  const now = server.signer.nowSeconds();
  const bound = boundTo(ctx, account, spec.boundObjectRef as JsonObject);
  const isLong =
    bound.pod !== undefined &&
    seconds === WARN_AFTER_SECONDS &&
    audiences.every((audience) => audience === ISSUER);
  const { name, namespace = "", uid = "" } = account.metadata;
  const claims: Claims = {
    aud: audiences,
    exp: now + (isLong ? EXTENDED_SECONDS : seconds),
    iat: now,
    iss: ISSUER,
    jti: server.kernel.uid(),
    "kubernetes.io": {
      namespace,
      serviceaccount: { name, uid },
      ...bound,
      ...(isLong ? { warnafter: now + seconds } : {}),
    },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  const status = {
    token: server.signer.sign(claims),
    expirationTimestamp: server.kernel.timestamp(
      server.kernel.now() + seconds * 1000,
    ),
  };
  const metadata = {
    ...asked.metadata,
    name,
    namespace,
    creationTimestamp: server.kernel.timestamp(),
  };
  const filled = {
    ...spec,
    audiences,
    expirationSeconds: seconds,
  };
  const answer = { ...asked, metadata, spec: filled, status };
  ctx.response = { code: 201, body: deepFreeze(answer) };
}

/** Even an answer tells who asked for which field. */
function tracked(ctx: RequestContext, asked: Obj): Obj {
  const resource = ctx.server.tokenResource;
  const one = { ...ctx, resource, object: asked, old: undefined };
  trackFields(one);
  return one.object;
}

/** It may say whose it is, if that is so. Throws 422 or 409. */
function checkAccount(ctx: RequestContext, account: Obj, asked: Obj): void {
  const { kind } = ctx.server.tokenResource;
  const wrong = (field: string, value: string, what: string) => {
    const rule = `must match the service account ${what} if specified`;
    return invalidObject(kind, ctx.name, [invalid(field, value, rule)]);
  };
  const { name, namespace, uid } = asked.metadata;
  if (name && name !== ctx.name) throw wrong("metadata.name", name, "name");
  if (namespace && namespace !== ctx.namespace)
    throw wrong("metadata.namespace", namespace, "namespace");
  const own = account.metadata.uid;
  if (!uid || uid === own) return;
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${own})`;
  const resource = { group: kind.group, resource: kind.kind };
  throw conflict(resource, ctx.name, why);
}

function secondsOf({ spec }: Obj): number {
  const { expirationSeconds } = obj(spec);
  return expirationSeconds === undefined
    ? HOUR_SECONDS
    : num(expirationSeconds);
}

function checkDuration(ctx: RequestContext, asked: Obj): void {
  const seconds = secondsOf(asked);
  const field = "spec.expirationSeconds";
  const short = "may not specify a duration less than 10 minutes";
  const long = "may not specify a duration larger than 2^32 seconds";
  const why = seconds < 600 ? short : seconds > 2 ** 32 ? long : "";
  if (!why) return;
  const { kind } = ctx.server.tokenResource;
  throw invalidObject(kind, "", [invalid(field, seconds, why)]);
}
