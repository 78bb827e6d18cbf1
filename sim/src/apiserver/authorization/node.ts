/**
 * The node authorizer: a kubelet may read what concerns its own Pods, and
 * write its own Node, its Lease and the status of its Pods. Which Secrets,
 * ConfigMaps and volumes concern it follows from the Pods bound to it.
 * Models:     plugin/pkg/auth/authorizer/node/{node_authorizer,graph}.go,
 *             NodeRules of plugin/pkg/auth/authorizer/rbac/bootstrappolicy
 * Leaves out: resource slices and claims, bootstrapping certificates.
 */
import type { UserInfo } from "../authentication/user.ts";
import type { WatchCache } from "../registry/watch-cache.ts";
import type { Verdict } from "./authorizer.ts";
import { mentions } from "./pod-references.ts";
import { type Attributes, type PolicyRule, ruleAllows } from "./rule.ts";

const NODE_PREFIX = "system:node:";

/** `group verbs resources`, a line a rule. Source: bootstrappolicy/policy.go */
export const NODE_RULES: readonly PolicyRule[] = [
  rule("authentication.k8s.io", "create", "tokenreviews"),
  rule(
    "authorization.k8s.io",
    "create",
    "subjectaccessreviews localsubjectaccessreviews",
  ),
  rule("", "get list watch", "services"),
  rule("", "create get list watch", "nodes"),
  rule("", "update patch", "nodes nodes/status"),
  rule("", "create patch update", "events"),
  rule("", "get list watch", "pods"),
  rule("", "create delete", "pods"),
  rule("", "update patch", "pods/status"),
  rule("", "create", "pods/eviction serviceaccounts/token"),
  rule("", "get list watch", "secrets configmaps"),
  rule("", "get", "persistentvolumeclaims persistentvolumes serviceaccounts"),
  rule("", "get update patch", "persistentvolumeclaims/status"),
  rule("", "get list watch", "endpoints"),
  rule(
    "certificates.k8s.io",
    "create get list watch",
    "certificatesigningrequests",
  ),
  rule("coordination.k8s.io", "get create update patch delete", "leases"),
  rule("storage.k8s.io", "get", "volumeattachments"),
  rule("storage.k8s.io", "get list watch", "csidrivers"),
  rule("storage.k8s.io", "get create update patch delete", "csinodes"),
  rule("node.k8s.io", "get list watch", "runtimeclasses"),
];

function rule(group: string, verbs: string, resources: string): PolicyRule {
  return {
    apiGroups: [group],
    verbs: verbs.split(" "),
    resources: resources.split(" "),
  };
}

/** Resources that a node reads only if one of its Pods mentions them. */
const BY_REFERENCE: readonly string[] = [
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "serviceaccounts",
];

const ALLOWED: Verdict = Object.freeze({
  allowed: true,
  by: "node authorizer",
});
const REFUSED: Verdict = Object.freeze({ ...ALLOWED, allowed: false });

export class NodeAuthorizer {
  private readonly pods: WatchCache;

  constructor(pods: WatchCache) {
    this.pods = pods;
  }

  isNode(user: UserInfo): boolean {
    const inGroup = user.groups.includes("system:nodes");
    return inGroup && user.name.startsWith(NODE_PREFIX);
  }

  authorize(user: UserInfo, a: Attributes): Verdict {
    const { by } = ALLOWED;
    if (!NODE_RULES.some((rule) => ruleAllows(rule, a))) return REFUSED;
    const node = user.name.slice(NODE_PREFIX.length);
    if (a.group !== "" || !BY_REFERENCE.includes(a.resource)) {
      return ALLOWED;
    }
    if (a.resource === "persistentvolumeclaims" && a.subresource) {
      return ALLOWED;
    }
    return this.related(node, a)
      ? { allowed: true, by: `${by}: a Pod on ${node} mentions it` }
      : { allowed: false, by, reason: noRelation(node, a) };
  }

  private related(node: string, a: Attributes): boolean {
    if (!a.name) return false;
    return this.pods.listByIndex(node).some((pod) => mentions(pod, a));
  }
}

function noRelation(node: string, { resource, name }: Attributes): string {
  if (!name) return `can only read resources of this type by name`;
  return `no relationship found between node '${node}' and this object (${resource} ${name})`;
}
