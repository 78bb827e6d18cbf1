/**
 * TokenRequest: a token for a ServiceAccount, bound to it and to a Pod.
 * Models: pkg/registry/core/serviceaccount/storage/token.go @ v1.36
 */
import { invalid } from "../../../api/field-error.ts";
import { num, obj, str, strings } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import {
  badRequest,
  conflict,
  invalidObject,
  notFound,
} from "../../../api/status.ts";
import { deepFreeze, type JsonObject } from "../../../api/types.ts";
import { admit, mutate } from "../../admission/stages.ts";
import { type Claims, ISSUER } from "../../authentication/service-account.ts";
import type { RequestContext } from "../../context.ts";
import { andThen, type MaybePromise } from "../../maybe.ts";
import { decodeBody } from "../decode.ts";
import { loadObject } from "../load.ts";
import { trackFields } from "../managed-fields.ts";

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
  return andThen(mutate(ctx), () =>
    andThen(admit(ctx), () => sign(ctx, account, ctx.object!)),
  );
}

function sign(ctx: RequestContext, account: Obj, asked: Obj): void {
  const { server } = ctx;
  const spec = obj(asked.spec);
  const seconds = num(spec.expirationSeconds) || HOUR_SECONDS;
  checkDuration(ctx, seconds);
  const audiences = strings(spec.audiences);
  const now = server.signer.nowSeconds();
  const pod = boundPod(ctx, account, obj(spec.boundObjectRef));
  const lifeSeconds =
    seconds === WARN_AFTER_SECONDS ? EXTENDED_SECONDS : seconds;
  const { name, namespace = "", uid = "" } = account.metadata;
  const claims: Claims = {
    aud: audiences.length > 0 ? audiences : [ISSUER],
    exp: now + lifeSeconds,
    iat: now,
    iss: ISSUER,
    jti: server.kernel.uid(),
    "kubernetes.io": { namespace, serviceaccount: { name, uid }, ...pod },
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
    audiences: claims.aud,
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

function checkDuration(ctx: RequestContext, seconds: number): void {
  const field = "spec.expirationSeconds";
  const short = "may not specify a duration less than 10 minutes";
  const long = "may not specify a duration larger than 2^32 seconds";
  const why = seconds < 600 ? short : seconds > 2 ** 32 ? long : "";
  if (!why) return;
  const { kind } = ctx.server.tokenResource;
  throw invalidObject(kind, ctx.name, [invalid(field, seconds, why)]);
}

/** The Pod that the token shall end with, and its node. */
function boundPod(ctx: RequestContext, account: Obj, ref: JsonObject) {
  if (!ref.kind) return {};
  if (ref.kind !== "Pod") {
    throw badRequest(
      `cannot bind token for serviceaccount to type ${ref.kind}`,
    );
  }
  const pods = ctx.server.resourceOf("", "v1", "pods")!;
  const name = str(ref.name);
  const pod = pods.storage!.get(ctx.namespace, name);
  if (!pod) throw notFound(pods.kind, name);
  const spec = obj(pod.spec);
  if (spec.serviceAccountName !== account.metadata.name) {
    throw badRequest(
      `cannot bind token to Pod "${name}" running with different service account name.`,
    );
  }
  const uid = pod.metadata.uid ?? "";
  if (ref.uid && ref.uid !== uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict(pods.kind, name, why);
  }
  const node = str(spec.nodeName);
  const nodeUid = ctx.server.storageOf("nodes").get("", node)?.metadata.uid;
  const nodeClaim = node ? { node: { name: node, uid: nodeUid } } : {};
  return { pod: { name, uid }, ...nodeClaim };
}
