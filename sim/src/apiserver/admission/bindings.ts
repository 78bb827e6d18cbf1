/**
 * What an expression of admission may name: the object before and after, the
 * request, the namespace, the authorizer.
 * Models: apiserver/pkg/admission/plugin/cel, apiserver/pkg/cel/library
 *         /authz.go @ v1.36
 */
import type { Bindings } from "../../api/cel/evaluate.ts";
import { Host } from "../../api/cel/values.ts";
import type { RequestContext } from "../context.ts";
import { reviewOf } from "./webhooks/review.ts";

export function bindingsOf(ctx: RequestContext): Bindings {
  const { object, old, server, namespace } = ctx;
  const namespaceObject = namespace
    ? server.storageOf("namespaces").get("", namespace)
    : undefined;
  return {
    object: object ?? null,
    oldObject: old ?? null,
    request: reviewOf(ctx).request,
    namespaceObject: namespaceObject ?? null,
    authorizer: authorizerOf(ctx),
  };
}

interface Question {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/** `authorizer.group("").resource("pods").check("get").allowed()`. */
function authorizerOf(ctx: RequestContext): Host {
  const { user, server } = ctx;
  const check = (question: Question) => (verb: unknown) => {
    const a = { ...question, verb: String(verb) };
    const { allowed, reason = "" } = server.authorizer.authorize(user, a);
    return new Host("Decision", {
      allowed: () => allowed,
      reason: () => reason,
    });
  };
  const resource = (question: Question): Host =>
    new Host("ResourceCheck", {
      subresource: (text) =>
        resource({ ...question, subresource: String(text) }),
      namespace: (text) => resource({ ...question, namespace: String(text) }),
      name: (text) => resource({ ...question, name: String(text) }),
      check: check(question),
    });
  return new Host("Authorizer", {
    group: (group) =>
      new Host("GroupCheck", {
        resource: (text) =>
          resource({ group: String(group), resource: String(text) }),
      }),
    path: (path) =>
      new Host("PathCheck", {
        check: check({ group: "", resource: "", path: String(path) }),
      }),
  });
}
