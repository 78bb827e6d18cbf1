/**
 * Nobody gives away rights that they do not have: who writes a role must hold
 * all that it allows, or may `escalate`; who binds one must hold it too, or
 * may `bind` it.
 * Models: pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/
 *         policybased/storage.go, pkg/registry/rbac/{escalation_check,
 *         helpers}.go, pkg/registry/rbac/validation/rule.go @ v1.36
 * Try:     let `confirmNoEscalation` return at once, and give yourself a cluster.
 */

import { quote } from "../../api/go-text.ts";
import { obj, same, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { forbidden, notFound, statusError } from "../../api/status.ts";
import type { RequestContext } from "../context.ts";
import { missingRights } from "./covers.ts";
import type { PolicyRule } from "./rule.ts";

const group = "rbac.authorization.k8s.io";

/** All of the API, and all else: what an aggregating role may come to hold. */
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

export function confirmNoEscalation(ctx: RequestContext): void {
  const { object, old, request } = ctx;
  if (!object || (old && onlyLetsGo(object, old))) return;
  if (request.resource.endsWith("bindings")) return checkBinding(ctx, object);
  // A role that is POSTed has no name yet.
  if (may(ctx, "escalate", request.resource, request.name)) return;
  const { rules, aggregationRule } = object;
  check(ctx, (rules ?? []) as readonly PolicyRule[]);
  if (!aggregationRule && !old?.aggregationRule) return;
  if (missing(ctx, everything).length === 0) return;
  const why = "must have cluster-admin privileges to use an aggregationRule";
  throw forbidden(request, object.metadata.name, why);
}

function checkBinding(ctx: RequestContext, binding: Obj): void {
  const { kind, name } = obj(binding.roleRef);
  const resource = `${str(kind).toLowerCase()}s`;
  const known = kind === "Role" || kind === "ClusterRole";
  if (known && may(ctx, "bind", resource, str(name))) return;
  if (!known) {
    const why = `unsupported role reference kind: ${quote(str(kind))}`;
    throw statusError(500, "", why);
  }
  const { rbac } = ctx.server.authorizer;
  const rules = rbac.rulesOfRole(str(kind), str(name), ctx.namespace);
  if (!rules) throw notFound({ group, resource }, str(name));
  check(ctx, rules);
}

/** Owners and finalizers may go without rights: or nothing could be deleted. */
function onlyLetsGo(object: Obj, old: Obj): boolean {
  const free = ["ownerReferences", "finalizers", "managedFields"];
  const rest = (meta: object) =>
    Object.fromEntries(
      Object.entries(meta).filter(([name]) => !free.includes(name)),
    );
  return same(
    { ...object, metadata: rest(object.metadata) },
    { ...old, metadata: rest(old.metadata) },
  );
}

function may(ctx: RequestContext, verb: string, resource: string, name = "") {
  const { namespace, server, user } = ctx;
  const asked = { verb, group, resource, namespace, name };
  return server.authorizer.authorize(user, asked).allowed;
}

function missing(ctx: RequestContext, rules: readonly PolicyRule[]) {
  const { rbac } = ctx.server.authorizer;
  const held = rbac.rulesFor(ctx.user, ctx.namespace);
  return missingRights(
    held.map(({ rule }) => rule),
    rules,
  );
}

function check(ctx: RequestContext, rules: readonly PolicyRule[]): void {
  const lacking = missing(ctx, rules);
  if (lacking.length === 0) return;
  const { user, request, server } = ctx;
  const groups = user.groups.map(quote).join(" ");
  const who = `user ${quote(user.name)} (groups=[${groups}])`;
  const what = "is attempting to grant RBAC permissions not currently held";
  const { rbac } = server.authorizer;
  const errors = rbac
    .errorsFor(user, ctx.namespace)
    .replace(/\b(cluster)?role(?=\.rbac)/g, "$&s");
  const unread = errors && `; resolution errors: [${errors}]`;
  const why = `${who} ${what}:\n${lacking.join("\n")}${unread}`;
  throw forbidden(request, ctx.object!.metadata.name, why);
}
