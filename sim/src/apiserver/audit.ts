/**
 * The audit log: who asked for what, when, and what came of it.
 * Models:     apiserver/pkg/apis/audit/v1/types.go,
 *             apiserver/pkg/endpoints/filters/audit.go @ v1.36
 * Leaves out: stages before the answer; policies by rule: one level for all.
 */
import type { ApiResponse } from "../api/transport.ts";
import type { RequestContext } from "./context.ts";

export type AuditLevel = "Metadata" | "Request" | "RequestResponse";

export interface AuditEvent {
  readonly kind: "Event";
  readonly apiVersion: "audit.k8s.io/v1";
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: "ResponseComplete";
  readonly requestURI: string;
  readonly verb: string;
  readonly user: {
    readonly username: string;
    readonly groups: readonly string[];
  };
  readonly userAgent: string;
  readonly objectRef: {
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion: string;
    readonly subresource?: string;
  };
  /** What admission had to say. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly responseStatus: { readonly code: number; readonly reason?: string };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly stageTimestamp: string;
}

/** Where the events go; nobody listens unless a scenario asks for it. */
export interface Audit {
  readonly level: AuditLevel;
  log(event: AuditEvent): void;
}

export function auditEvent(
  ctx: RequestContext,
  level: AuditLevel,
  { code, body }: ApiResponse,
): AuditEvent {
  const { request, namespace, name, user, server } = ctx;
  const { group, version, resource, subresource } = request;
  const reason = body.kind === "Status" && "reason" in body ? body.reason : "";
  const where = namespace ? `/namespaces/${namespace}` : "";
  const what = [resource, name, subresource].filter(Boolean).join("/");
  const root = group ? `/apis/${group}` : "/api";
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level,
    auditID: `audit-${server.kernel.trace.lastId}`,
    stage: "ResponseComplete",
    requestURI: `${root}/${version}${where}/${what}`,
    verb: request.verb,
    user: { username: user.name, groups: user.groups },
    userAgent: request.userAgent ?? "",
    objectRef: {
      resource,
      ...(namespace ? { namespace } : {}),
      ...(name ? { name } : {}),
      ...(group ? { apiGroup: group } : {}),
      apiVersion: version,
      ...(subresource ? { subresource } : {}),
    },
    ...(ctx.annotations
      ? { annotations: Object.fromEntries(ctx.annotations) }
      : {}),
    responseStatus: reason ? { code, reason } : { code },
    ...(level === "Metadata" ? {} : { requestObject: ctx.body }),
    ...(level === "RequestResponse" ? { responseObject: body } : {}),
    stageTimestamp: server.kernel.microTimestamp(),
  };
}
