/** The second stage: may this user do this? */
import { forbidden } from "../../api/status.ts";
import type { StageDetail } from "../../api/transport.ts";
import { type RequestContext, recordStage } from "../context.ts";
import type { Verdict } from "./authorizer.ts";
import type { Attributes } from "./rule.ts";

export function authorizeStage(ctx: RequestContext): void {
  const { server, user } = ctx;
  const attributes = attributesOf(ctx);
  const verdict = server.authorizer.authorize(user, attributes);
  recordStage(ctx, "authorize", detailOf(verdict));
  if (!verdict.allowed) throw refusal(user.name, attributes, verdict.reason);
}

/** Most requests are allowed by one of a few rules: what is told of each. */
const details = new WeakMap<Verdict, StageDetail>();

function detailOf(verdict: Verdict): StageDetail {
  const known = details.get(verdict);
  if (known) return known;
  const { allowed, by, reason: message } = verdict;
  const detail = { verdict: allowed ? "allow" : "deny", by, message } as const;
  details.set(verdict, Object.freeze(detail));
  return detail;
}

export function attributesOf({
  request,
  namespace,
  name,
  options,
}: RequestContext): Attributes {
  const { verb, group, resource, subresource } = request;
  const { fieldSelector } = options;
  // A Namespace itself counts as lying in itself.
  const own = resource === "namespaces" && group === "" ? name : namespace;
  const named = name || nameSelected(fieldSelector);
  return {
    verb,
    group,
    resource,
    subresource,
    namespace: own,
    name: named,
    fieldSelector,
  };
}

/** A list of one object by its name is authorized as that object. */
function nameSelected(fieldSelector: string | undefined): string {
  if (!fieldSelector) return "";
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(fieldSelector)?.[1] ?? "";
}

/** 403 in upstream's words. Source: handlers/responsewriters/errors.go */
export function refusal(user: string, a: Attributes, reason = "") {
  const why = `User "${user}" ${cannot(a)}${reason ? `: ${reason}` : ""}`;
  const { group, resource, name = "" } = a;
  return forbidden({ group, resource }, name, why);
}

function cannot(a: Attributes): string {
  if (a.path !== undefined) return `cannot ${a.verb} path "${a.path}"`;
  const asked = a.subresource ? `${a.resource}/${a.subresource}` : a.resource;
  const where = a.namespace
    ? `in the namespace "${a.namespace}"`
    : "at the cluster scope";
  return `cannot ${a.verb} resource "${asked}" in API group "${a.group}" ${where}`;
}
