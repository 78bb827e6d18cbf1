/** Who makes a request. Models: apiserver/pkg/authentication/user @ v1.36 */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: { readonly [key: string]: readonly string[] };
}

export const ANONYMOUS: UserInfo = Object.freeze({
  name: "system:anonymous",
  groups: Object.freeze(["system:unauthenticated"]),
});

/** The API server's own user: for what it makes by itself. */
export const LOOPBACK: UserInfo = Object.freeze({
  name: "system:apiserver",
  groups: Object.freeze(["system:authenticated", "system:masters"]),
});

export const ALL_AUTHENTICATED = "system:authenticated";
export const MASTERS = "system:masters";
/** Before the Node's name: what its kubelet is called. */
export const NODE_PREFIX = "system:node:";

/** `groups` with system:authenticated, which every known user is in. */
export function authenticated(groups: readonly string[]): readonly string[] {
  return groups.includes(ALL_AUTHENTICATED)
    ? groups
    : [...groups, ALL_AUTHENTICATED];
}
