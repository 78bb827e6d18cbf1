/**
 * NamespaceLifecycle: nothing is made in a namespace that does not exist or is
 * being taken down, and three namespaces cannot be deleted.
 * Models: apiserver/pkg/admission/plugin/namespace/lifecycle @ v1.36
 */
import { at } from "../../../api/kinds/access.ts";
import { notFound } from "../../../api/status.ts";
import type { Json } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, refuse } from "../plugin.ts";

const IMMORTAL = ["default", "kube-system", "kube-public"];
const NAMESPACES = { group: "", resource: "namespaces" };

export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  handles: ({ operation, resource }) =>
    operation === "CREATE" ||
    (operation === "DELETE" && resource === "namespaces"),
  // Upstream it is a mutating plugin too: it must come before all others.
  mutate(ctx) {
    if (ctx.request.resource === "namespaces") return deletable(ctx);
    if (!ctx.namespace || isAccessReview(ctx)) return;
    const namespace = ctx.server.storageOf("namespaces").get("", ctx.namespace);
    if (!namespace) throw notFound(NAMESPACES, ctx.namespace);
    const phase = at(namespace.status as Json, "phase");
    if (phase !== "Terminating" || !isCreate(ctx)) return;
    const about = `namespace ${ctx.namespace} is being terminated`;
    const why = `unable to create new content in namespace ${ctx.namespace} because it is being terminated`;
    const field = "metadata.namespace";
    const cause = { reason: "NamespaceTerminating", message: about, field };
    throw refuse(ctx, why, [cause]);
  },
};

function deletable(ctx: RequestContext): void {
  const { verb } = ctx.request;
  if (verb !== "delete" || !IMMORTAL.includes(ctx.name)) return;
  throw refuse(ctx, "this namespace may not be deleted");
}

function isCreate({ request, old }: RequestContext): boolean {
  return request.verb === "create" || old === undefined;
}

function isAccessReview({ request }: RequestContext): boolean {
  return request.resource === "localsubjectaccessreviews";
}
