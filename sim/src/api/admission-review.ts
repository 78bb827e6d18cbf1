/**
 * The question that a webhook is asked about a write, and its answer.
 * Models: staging/src/k8s.io/api/admission/v1/types.go @ v1.36
 */
import type { JsonPatchOperation } from "./patch/json.ts";
import type { KubeObject, Status } from "./types.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

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
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
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
