/**
 * Types: certificate signing requests.
 * Models: staging/src/k8s.io/api/certificates/v1/types.go @ v1.36
 */
import type { KubeObject } from "../../types.ts";

export interface CertificateSigningRequest extends KubeObject {
  readonly spec: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestSpec {
  readonly expirationSeconds?: number;
  readonly extra?: { readonly [key: string]: readonly string[] };
  readonly groups?: readonly string[];
  /** PEM of a PKCS #10 request, in base64. */
  readonly request: string;
  readonly signerName: string;
  readonly uid?: string;
  readonly usages?: readonly string[];
  readonly username?: string;
}

export interface CertificateSigningRequestStatus {
  /** PEM, in base64. */
  readonly certificate?: string;
  readonly conditions?: readonly CertificateSigningRequestCondition[];
}

export interface CertificateSigningRequestCondition {
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
