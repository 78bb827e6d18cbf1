/**
 * The node authorizer: a kubelet may read what concerns its own Pods, and
 * write its own Node, its Lease and the status of its Pods. Which Secrets,
 * ConfigMaps and volumes concern it follows from the Pods bound to it. What
 * it writes is looked at again by the admission plugin NodeRestriction.
 * Models:     plugin/pkg/auth/authorizer/node/{node_authorizer,graph}.go,
 *             NodeRules of plugin/pkg/auth/authorizer/rbac/bootstrappolicy
 * Leaves out: resource slices and claims.
 */
import { NODE_PREFIX, type UserInfo } from "../authentication/user.ts";
import type { WatchCache } from "../registry/watch-cache.ts";
import type { Verdict } from "./authorizer.ts";
import { Relations } from "./relations.ts";
import {
  type Attributes,
  askedOf,
  type PolicyRule,
  ruleAllows,
} from "./rule.ts";

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

/** A request meets only the rules that name its resource. */
const RULES_BY_RESOURCE = new Map<string, PolicyRule[]>();
for (const rule of NODE_RULES) {
  for (const resource of rule.resources ?? []) {
    const rules = RULES_BY_RESOURCE.get(resource);
    if (rules) rules.push(rule);
    else RULES_BY_RESOURCE.set(resource, [rule]);
  }
}

const ALLOWED: Verdict = Object.freeze({
  allowed: true,
  by: "node authorizer",
});
const REFUSED: Verdict = Object.freeze({ ...ALLOWED, allowed: false });

export class NodeAuthorizer {
  private readonly related: Relations;

  constructor(cacheOf: (resource: string) => WatchCache) {
    this.related = new Relations(cacheOf);
  }

  isNode(user: UserInfo): boolean {
    const inGroup = user.groups.includes("system:nodes");
    return inGroup && user.name.startsWith(NODE_PREFIX);
  }

  authorize(user: UserInfo, a: Attributes): Verdict {
    const { by } = ALLOWED;
    const rules = RULES_BY_RESOURCE.get(askedOf(a)) ?? [];
    if (!rules.some((rule) => ruleAllows(rule, a))) return REFUSED;
    const node = user.name.slice(NODE_PREFIX.length);
    const verdict = this.ofObject(node, a);
    if (verdict === "") return ALLOWED;
    return verdict.startsWith("a Pod on ")
      ? { allowed: true, by: `${by}: ${verdict}` }
      : { allowed: false, by, reason: verdict };
  }

  // region: own
  /** "" if nothing more is to be asked; else why, or why not. */
  private ofObject(node: string, a: Attributes): string {
    switch (a.resource) {
      case "nodes":
        return a.group === "" ? ownNode(node, a) : "";
      case "pods":
        return a.group === "" ? this.ownPods(node, a) : "";
      case "leases":
        return ownLease(node, a);
      case "csinodes":
        return isOwn(node, a, "can only access CSINode");
      default:
        return this.related.of(node, a);
    }
  }

  private ownPods(node: string, a: Attributes): string {
    if (a.subresource) return "";
    if (a.verb === "get") return this.related.of(node, a);
    if (a.verb !== "list" && a.verb !== "watch") return "";
    const own = `spec.nodeName=${node}`;
    const asked = (a.fieldSelector ?? "").replace("==", "=").split(",");
    return asked.includes(own)
      ? ""
      : "can only list/watch pods with spec.nodeName field selector";
  }
  // endregion: own
}

function ownNode(node: string, { verb, name, subresource }: Attributes) {
  const reads = verb === "get" || verb === "list" || verb === "watch";
  if (!reads || subresource || name === node) return "";
  const other = name ? `'${name}'` : "all nodes";
  return `node '${node}' cannot read ${other}, only its own Node object`;
}

const LEASES = "kube-node-lease";

function ownLease(node: string, a: Attributes): string {
  if (a.namespace !== LEASES) {
    return `can only access leases in the "${LEASES}" system namespace`;
  }
  return isOwn(node, a, "can only access node lease");
}

/** The name of a new object is not known yet: admission looks at it. */
function isOwn(node: string, { verb, name }: Attributes, what: string) {
  if (verb === "create" || name === node) return "";
  return `${what} with the same name as the requesting node`;
}
