/**
 * The question that a webhook is asked, and the answer it gives.
 * Models: staging/src/k8s.io/api/admission/v1/types.go @ v1.36
 */

import type { Obj } from "../../../api/kinds/definition.ts";
import type { JsonPatchOperation } from "../../../api/patch/json.ts";
import type { Status } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import type { ConversionReview } from "../../extensions/conversion-review.ts";
import { operationOf } from "../operation.ts";
import type { Operation } from "../plugin.ts";

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: Operation;
  readonly userInfo: {
    readonly username: string;
    readonly groups: readonly string[];
  };
  readonly object: Obj | null;
  readonly oldObject: Obj | null;
  readonly dryRun: boolean;
  readonly options: unknown;
}

export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed: boolean;
  readonly status?: Partial<Status>;
  /** JSON patch: as a list, or as base64 of one. */
  readonly patch?: readonly JsonPatchOperation[] | string;
  readonly patchType?: "JSONPatch";
  readonly warnings?: readonly string[];
}

export interface AdmissionReview {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}

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
