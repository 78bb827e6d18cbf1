/**
 * Authentication: from credentials to a user. Each authenticator knows the
 * user, or does not know these credentials; who brings none is anonymous, who
 * brings wrong ones is refused.
 * Models:     apiserver/pkg/authentication/request, pkg/kubeapiserver/
 *             authenticator @ v1.36
 * Leaves out: OIDC, bootstrap tokens, the webhook and the request header.
 * Try:        make an authenticator that lets everybody in as `kubernetes-admin`.
 */
import { unauthorized } from "../../api/status.ts";
import type { Credentials } from "../../api/transport.ts";
import { type TokenSigner, userOfClaims } from "./service-account.ts";
import { ANONYMOUS, authenticated, type UserInfo } from "./user.ts";

/** Tells whose credentials these are; undefined: not mine to say. */
export interface Authenticator {
  readonly name: string;
  user(credentials: Credentials): UserInfo | undefined;
}

/** Finds the ServiceAccount, and what else a token is bound to. */
export type Exists = (
  resource: "serviceaccounts" | "pods" | "secrets" | "nodes",
  namespace: string,
  name: string,
  uid: string,
) => boolean;

/** The authenticators in the order in which they are asked. */
export function authenticators(
  tokens: ReadonlyMap<string, UserInfo>,
  signer: TokenSigner,
  exists: Exists,
): Authenticator[] {
  return [
    { name: "x509", user: certificateUser },
    {
      name: "token-file",
      user: ({ token }) => (token ? tokens.get(token) : undefined),
    },
    {
      name: "service-account",
      user: ({ token }) =>
        token ? serviceAccountOf(token, signer, exists) : undefined,
    },
  ];
}

/** The common name is the user, the organizations are the groups. */
function certificateUser({ certificate }: Credentials): UserInfo | undefined {
  if (!certificate) return undefined;
  const { commonName: name, organizations } = certificate;
  return { name, groups: authenticated(organizations) };
}

function serviceAccountOf(
  token: string,
  signer: TokenSigner,
  exists: Exists,
): UserInfo | undefined {
  const claims = signer.verify(token);
  if (!claims) return undefined;
  const { namespace, serviceaccount, ...bound } = claims["kubernetes.io"];
  const { pod, secret, node } = bound;
  const { name, uid } = serviceaccount;
  if (!exists("serviceaccounts", namespace, name, uid)) return undefined;
  if (pod && !exists("pods", namespace, pod.name, pod.uid)) return undefined;
  if (secret && !exists("secrets", namespace, secret.name, secret.uid))
    return undefined;
  // The node of a Pod may go first.
  if (node && !pod && !exists("nodes", "", node.name, node.uid ?? ""))
    return undefined;
  return userOfClaims(claims);
}

/** The user, and which authenticator knew it. Throws 401. */
export function authenticate(
  credentials: Credentials | undefined,
  all: readonly Authenticator[],
): { user: UserInfo; by: string } {
  if (!credentials?.token && !credentials?.certificate) {
    return { user: ANONYMOUS, by: "anonymous" };
  }
  for (const { name, user } of all) {
    const known = user(credentials);
    if (known) return { user: known, by: name };
  }
  throw unauthorized();
}
