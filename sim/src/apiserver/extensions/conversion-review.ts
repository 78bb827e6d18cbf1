/**
 * The question that a conversion webhook is asked, and its answer.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/v1/types.go @ v1.36
 */
import type { KubeObject, Status } from "../../api/types.ts";

export interface ConversionReview {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "ConversionReview";
  readonly request?: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
  readonly response?: {
    readonly uid: string;
    readonly convertedObjects: readonly KubeObject[];
    readonly result: Partial<Status>;
  };
}
