/**
 * The authorizers in their order: the first that says yes decides.
 * Models: pkg/kubeapiserver/authorizer (Node, RBAC), system:masters of
 *         apiserver/pkg/authorization/authorizerfactory @ v1.36
 */
import { MASTERS, type UserInfo } from "../authentication/user.ts";
import type { Resources } from "../resources.ts";
import { NodeAuthorizer } from "./node.ts";
import { Rbac } from "./rbac.ts";
import type { Attributes } from "./rule.ts";

export interface Verdict {
  readonly allowed: boolean;
  /** Authorizer, or the binding that allowed it. */
  readonly by: string;
  /** By which binding, or why not, where there is more to say. */
  readonly reason?: string;
}

const BY_MASTERS: Verdict = Object.freeze({
  allowed: true,
  by: `group ${MASTERS}`,
});

export class Authorizer {
  readonly rbac: Rbac;
  private readonly node: NodeAuthorizer;

  constructor(rbac: Rbac, node: NodeAuthorizer) {
    this.rbac = rbac;
    this.node = node;
  }

  isNode(user: UserInfo): boolean {
    return this.node.isNode(user);
  }

  authorize(user: UserInfo, a: Attributes): Verdict {
    if (user.groups.includes(MASTERS)) return BY_MASTERS;
    let told: string | undefined;
    if (this.node.isNode(user)) {
      const verdict = this.node.authorize(user, a);
      if (verdict.allowed) return verdict;
      told = verdict.reason;
    }
    const grant = this.rbac.authorize(user, a);
    if (grant) return grant.verdict;
    const errors = this.rbac.errorsFor(user, a.namespace);
    const reasons = [told, errors && `RBAC: ${errors}`].filter(Boolean);
    const reason = reasons.length > 0 ? reasons.join("\n") : undefined;
    return { allowed: false, by: "RBAC", reason };
  }
}

/** The authorizers of a server, reading roles and Pods from its caches. */
export function newAuthorizer(resources: Resources): Authorizer {
  const cacheOf = (resource: string) => resources.storageOf(resource).cache;
  const rbac = new Rbac({
    roles: cacheOf("roles"),
    rolebindings: cacheOf("rolebindings"),
    clusterroles: cacheOf("clusterroles"),
    clusterrolebindings: cacheOf("clusterrolebindings"),
  });
  return new Authorizer(rbac, new NodeAuthorizer(cacheOf));
}
