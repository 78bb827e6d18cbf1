/**
 * Puts the question to a webhook together, out of a request on its way.
 * Models: apiserver/pkg/admission/plugin/webhook/request @ v1.36
 */
import type { AdmissionReview } from "../../../api/admission-review.ts";
import type { RequestContext } from "../../context.ts";
import type { ConversionReview } from "../../extensions/conversion-review.ts";
import { operationOf } from "../operation.ts";

/** A webhook's server in the simulator: a function for each question. */
export interface WebhookServer {
  /** Name in the trace. */
  readonly actor: string;
  review?(review: AdmissionReview): Promise<AdmissionReview>;
  /** Between the versions of a custom kind. */
  convert?(review: ConversionReview): Promise<ConversionReview>;
}

export function reviewOf(ctx: RequestContext): AdmissionReview {
  const { request, resource, user, server } = ctx;
  const { group, version, kind } = resource.kind;
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: server.kernel.uid(),
      kind: { group, version, kind },
      resource: { group, version, resource: request.resource },
      ...(request.subresource ? { subResource: request.subresource } : {}),
      ...(ctx.name ? { name: ctx.name } : {}),
      ...(ctx.namespace ? { namespace: ctx.namespace } : {}),
      operation: operationOf(request.verb, ctx.old !== undefined),
      userInfo: { username: user.name, groups: user.groups },
      object: ctx.object ?? null,
      oldObject: ctx.old ?? null,
      dryRun: ctx.dryRun,
      options: null,
    },
  };
}
