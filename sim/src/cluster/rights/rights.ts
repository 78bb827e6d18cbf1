/**
 * A ServiceAccount with a cluster role of its own, as the manifests of
 * networks, drivers and clouds bring them along: whoever runs as it may do
 * that, and nothing else.
 */
import type { JsonObject } from "../../api/types.ts";
import { ruleOf } from "../../apiserver/authorization/bootstrap.ts";

/** An object that an administrator applies when the cluster is made. */
export interface Installed {
  /** `rbac.authorization.k8s.io`; "" for the core group. */
  readonly group: string;
  readonly version: string;
  /** `clusterroles` */
  readonly resource: string;
  readonly body: JsonObject;
}

export interface Rights {
  readonly namespace: string;
  readonly account: string;
  /** Name of the role and of its binding. */
  readonly role: string;
  /** A rule a line: verbs, groups (`-`: core), resources, `=` names. */
  readonly rules: string;
}

const RBAC = "rbac.authorization.k8s.io";

export function rights({ namespace, account, role, rules }: Rights) {
  const lines = rules.trim().split("\n");
  const metadata = { name: role };
  const subject = { kind: "ServiceAccount", name: account, namespace };
  return [
    core("serviceaccounts", { metadata: { name: account, namespace } }),
    rbac("clusterroles", {
      metadata,
      rules: lines.map((line) => ruleOf(line.trim())),
    }),
    rbac("clusterrolebindings", {
      metadata,
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
      subjects: [subject],
    }),
  ];
}

export function core(resource: string, body: JsonObject): Installed {
  return { group: "", version: "v1", resource, body };
}

function rbac(resource: string, body: JsonObject): Installed {
  return { group: RBAC, version: "v1", resource, body };
}
