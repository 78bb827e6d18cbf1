/**
 * ServiceAccount tokens: signed claims about who the bearer is, bound to the
 * account and, if asked, to a Pod, a Node or a Secret. A token ends with its
 * time, its account or with that.
 * Models:     pkg/serviceaccount/{claims,jwt}.go @ v1.36
 * Leaves out: real signatures: ours is a hash that only this server can make,
 *             in the shape of a JWT so that its claims can be read.
 */
import { fnv1aText } from "../../api/hash.ts";
import type { Kernel } from "../../kernel/index.ts";
import { fromBase64Url, toBase64Url } from "../base64.ts";
import type { UserInfo } from "./user.ts";

export const ISSUER = "https://kubernetes.default.svc.cluster.local";

/** Claims of a token; times in seconds since 1970. */
export interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
    readonly secret?: { readonly name: string; readonly uid: string };
    readonly node?: { readonly name: string; readonly uid?: string };
    /** Used later than this, the token is told of; only then does it end. */
    readonly warnafter?: number;
  };
  readonly nbf: number;
  readonly sub: string;
}

export class TokenSigner {
  private readonly kernel: Kernel;
  private readonly key: string;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.key = kernel.random.fork("service-account-key").uuid();
  }

  /** The token that says `claims`. */
  sign(claims: Claims): string {
    const header = toBase64Url(
      JSON.stringify({ alg: "RS256", kid: "shikumi" }),
    );
    const body = `${header}.${toBase64Url(JSON.stringify(claims))}`;
    return `${body}.${this.signature(body)}`;
  }

  /** Its claims, if this server made it and it has not ended. */
  verify(token: string): Claims | undefined {
    const [header, payload, signature] = token.split(".");
    if (!payload || signature !== this.signature(`${header}.${payload}`)) {
      return undefined;
    }
    const claims: Claims = JSON.parse(fromBase64Url(payload));
    return claims.exp > this.nowSeconds() ? claims : undefined;
  }

  /** Simulated time in seconds since 1970. */
  nowSeconds(): number {
    return Math.floor(Date.parse(this.kernel.timestamp()) / 1000);
  }

  private signature(body: string): string {
    const parts = [0, 1, 2, 3].map((i) => fnv1aText(`${i}${this.key}${body}`));
    return toBase64Url(
      parts.map((n) => n.toString(16).padStart(8, "0")).join(""),
    );
  }
}

/** The user that a ServiceAccount is. */
export function serviceAccountUser(
  namespace: string,
  name: string,
  uid: string,
): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: [
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
      "system:authenticated",
    ],
  };
}

/** The same with what the token says about its Pod and node. */
export function userOfClaims(claims: Claims): UserInfo {
  const { namespace, serviceaccount, pod, node } = claims["kubernetes.io"];
  const { name, uid } = serviceaccount;
  const user = serviceAccountUser(namespace, name, uid);
  const extra: Record<string, readonly string[]> = {
    "authentication.kubernetes.io/credential-id": [`JTI=${claims.jti}`],
  };
  if (node) extra["authentication.kubernetes.io/node-name"] = [node.name];
  if (node?.uid) extra["authentication.kubernetes.io/node-uid"] = [node.uid];
  if (pod) extra["authentication.kubernetes.io/pod-name"] = [pod.name];
  if (pod) extra["authentication.kubernetes.io/pod-uid"] = [pod.uid];
  return { ...user, extra };
}
