/**
 * Which writes a webhook or a policy concerns: by rules, by the labels of the
 * object and of its namespace.
 * Models: apiserver/pkg/admission/plugin/webhook/predicates/{rules,namespace,
 *         object} @ v1.36
 */
import { list, obj, str, strings } from "../../api/kinds/access.ts";
import { labelSelector } from "../../api/selector.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { operationOf } from "./operation.ts";
import type { Operation } from "./plugin.ts";

/** True if one of the rules holds for the write. */
export function rulesMatch(rules: JsonObject[string], ctx: RequestContext) {
  const operation = operationOf(ctx.request.verb, ctx.old !== undefined);
  return list(rules).some((rule) => ruleMatches(rule, ctx, operation));
}

function ruleMatches(
  rule: JsonObject,
  { request, resource, name }: RequestContext,
  operation: Operation,
): boolean {
  const has = (field: string, wanted: string) => {
    const all = strings(rule[field]);
    return all.includes("*") || all.includes(wanted);
  };
  if (!has("operations", operation)) return false;
  if (!has("apiGroups", request.group)) return false;
  if (!has("apiVersions", request.version)) return false;
  const scope = str(rule.scope) || "*";
  const own = resource.kind.namespaced ? "Namespaced" : "Cluster";
  if (scope !== "*" && scope !== own) return false;
  const names = strings(rule.resourceNames);
  if (names.length > 0 && !names.includes(name)) return false;
  return strings(rule.resources).some((asked) =>
    resourceMatches(asked, request.resource, request.subresource ?? ""),
  );
}

/** `pods`, `pods/status`, `pods/*`, and stars on either side. */
function resourceMatches(asked: string, resource: string, sub: string) {
  const [wanted, wantedSub = ""] = asked.split("/");
  if (wanted !== "*" && wanted !== resource) return false;
  return wantedSub === "*" || wantedSub === sub;
}

/** The namespace's labels; a cluster-wide object that is no Namespace passes. */
export function namespaceMatches(
  selector: JsonObject[string],
  ctx: RequestContext,
): boolean {
  const wanted = labelSelector(obj(selector));
  if (wanted.empty) return true;
  if (ctx.request.resource === "namespaces") {
    return wanted.matches((ctx.object ?? ctx.old)?.metadata.labels);
  }
  if (!ctx.namespace) return true;
  const found = ctx.server.storageOf("namespaces").get("", ctx.namespace);
  return wanted.matches(found?.metadata.labels);
}

/** The object's own labels, before or after. */
export function objectMatches(
  selector: JsonObject[string],
  { object, old }: RequestContext,
): boolean {
  const wanted = labelSelector(obj(selector));
  if (wanted.empty) return true;
  const labeled = (one: KubeObject | undefined) =>
    one !== undefined && wanted.matches(one.metadata.labels);
  return labeled(object) || labeled(old);
}
