/**
 * Reviews: questions that are POSTed and answered in the status; nothing is
 * stored.
 * Models: pkg/registry/{authorization,authentication}, each rest.go @ v1.36
 */
import { at, obj, str, strings } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import {
  badRequest,
  invalidObject,
  methodNotAllowed,
} from "../../api/status.ts";
import { deepFreeze, type Json, type JsonObject } from "../../api/types.ts";
import { authenticate } from "../authentication/authenticate.ts";
import type { UserInfo } from "../authentication/user.ts";
import type { Attributes } from "../authorization/rule.ts";
import type { RequestContext } from "../context.ts";

export function answerReview(ctx: RequestContext): void {
  const object = ctx.object;
  const answer = object && REVIEWS[object.kind];
  if (!object || !answer) throw methodNotAllowed();
  const errors = ctx.resource.kind.validateCreate(object);
  if (errors.length > 0) throw invalidObject(ctx.resource.kind, "", errors);
  const body = { ...object, ...answer(ctx, object) };
  ctx.response = { code: 201, body: deepFreeze(body) };
}

type Answer = (ctx: RequestContext, object: Obj) => Partial<Obj>;

const REVIEWS: { readonly [kind: string]: Answer } = {
  SelfSubjectAccessReview: (ctx, { spec }) => ({
    status: mayI(ctx, ctx.user, spec as Json),
  }),
  SubjectAccessReview: (ctx, { spec }) => ({
    status: mayI(ctx, subjectOf(spec as Json), spec as Json),
  }),
  LocalSubjectAccessReview: (ctx, { spec }) => {
    const namespace = at(spec as Json, "resourceAttributes", "namespace");
    if (namespace !== ctx.namespace) {
      throw badRequest(
        `spec.resourceAttributes.namespace must match namespace: ${ctx.namespace}`,
      );
    }
    return { status: mayI(ctx, subjectOf(spec as Json), spec as Json) };
  },
  SelfSubjectRulesReview: (ctx, { spec }) => ({
    status: rulesOf(ctx, str(at(spec as Json, "namespace"))),
  }),
  SelfSubjectReview: ({ user, server }) => ({
    metadata: {
      creationTimestamp: server.kernel.timestamp(),
    } as Obj["metadata"],
    status: { userInfo: userInfo(user) },
  }),
  TokenReview: (ctx, { spec }) => ({ status: reviewToken(ctx, spec as Json) }),
};

function mayI(ctx: RequestContext, user: UserInfo, spec: Json): JsonObject {
  const { allowed, reason } = ctx.server.authorizer.authorize(
    user,
    attributesOf(spec),
  );
  return reason ? { allowed, reason } : { allowed };
}

function attributesOf(spec: Json): Attributes {
  const other = at(spec, "nonResourceAttributes");
  if (other) {
    const { verb, path } = obj(other);
    return { verb: str(verb), path: str(path), group: "", resource: "" };
  }
  const a = obj(at(spec, "resourceAttributes"));
  return {
    verb: str(a.verb),
    group: str(a.group),
    resource: str(a.resource),
    subresource: str(a.subresource),
    namespace: str(a.namespace),
    name: str(a.name),
  };
}

function subjectOf(spec: Json): UserInfo {
  const { user, groups, uid } = obj(spec);
  return { name: str(user), groups: strings(groups), uid: str(uid) };
}

/** What the user may do in the namespace, as `kubectl auth can-i --list`. */
function rulesOf(ctx: RequestContext, namespace: string): JsonObject {
  if (namespace === "") throw badRequest("no namespace on request");
  const { user, server } = ctx;
  const granted = server.authorizer.rbac.rulesFor(user, namespace);
  const resourceRules: JsonObject[] = [];
  const nonResourceRules: JsonObject[] = [];
  for (const { rule } of granted) {
    const { nonResourceURLs = [], resources = [] } = rule;
    if (resources.length > 0) {
      const { verbs, apiGroups, resourceNames } = rule;
      const names = resourceNames?.length ? { resourceNames } : {};
      resourceRules.push({
        verbs,
        apiGroups: apiGroups ?? [],
        resources,
        ...names,
      });
    }
    if (nonResourceURLs.length > 0) {
      nonResourceRules.push({ verbs: rule.verbs, nonResourceURLs });
    }
  }
  if (!server.authorizer.isNode(user)) {
    return { resourceRules, nonResourceRules, incomplete: false };
  }
  const evaluationError =
    "node authorizer does not support user rule resolution";
  return { resourceRules, nonResourceRules, incomplete: true, evaluationError };
}

function userInfo({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups,
    ...(extra ? { extra } : {}),
  };
}

function reviewToken(ctx: RequestContext, spec: Json): JsonObject {
  const token = str(at(spec, "token"));
  const { authenticators } = ctx.server;
  try {
    const { user } = authenticate({ token }, authenticators);
    const asked = strings(at(spec, "audiences"));
    const audiences = asked.length > 0 ? { audiences: asked } : {};
    return { authenticated: true, user: userInfo(user), ...audiences };
  } catch {
    const error = "[invalid bearer token, token lookup failed]";
    return { user: {}, error };
  }
}
