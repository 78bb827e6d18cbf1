/**
 * Makes objects of the bootstrap policy's text: cluster roles, bindings, and
 * a ServiceAccount's binding for each controller.
 * Models: pkg/registry/rbac/rest/storage_rbac.go @ v1.36
 */
import type { Json, JsonObject } from "../../api/types.ts";
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from "./policy.ts";

export interface BootstrapObject {
  /** `clusterroles` or `clusterrolebindings`. */
  readonly resource: string;
  readonly object: JsonObject;
}

const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const VERBS: { readonly [short: string]: readonly string[] } = {
  R: READ,
  W: WRITE,
  RW: [...WRITE, ...READ],
};
const AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";
const CONTROLLER = "system:controller:";
const LABELS = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const ANNOTATIONS = { "rbac.authorization.kubernetes.io/autoupdate": "true" };
const GROUP = "rbac.authorization.k8s.io";

export function bootstrapRoles(): BootstrapObject[] {
  const roles = sections(CLUSTER_ROLES).map(clusterRole);
  const bindings = CLUSTER_ROLE_BINDINGS.trim().split("\n").map(binding);
  const controllers = roles
    .map(({ name }) => name)
    .filter((name) => name.startsWith(CONTROLLER))
    .map((name) => {
      const account = name.slice(CONTROLLER.length);
      return binding(`${name} s:kube-system/${account}`);
    });
  return [
    ...roles.map(({ object }) => ({ resource: "clusterroles", object })),
    ...[...bindings, ...controllers].map((object) => ({
      resource: "clusterrolebindings",
      object,
    })),
  ];
}

function sections(text: string): { head: string; rules: string[] }[] {
  const found: { head: string; rules: string[] }[] = [];
  for (const line of text.trim().split("\n")) {
    if (line.startsWith("  ")) found.at(-1)!.rules.push(line.trim());
    else found.push({ head: line, rules: [] });
  }
  return found;
}

function clusterRole({ head, rules }: { head: string; rules: string[] }) {
  const [name = "", mark] = head.split(" ");
  const target = mark?.slice(1) ?? "";
  const into = mark?.startsWith(">") ? { [AGGREGATE + target]: "true" } : {};
  // A role that edit aggregates is admin's too; edit has what view has.
  const up = mark?.startsWith("<") ? aggregatesInto(name) : {};
  const labels = { ...LABELS, ...into, ...up };
  const object: Record<string, Json> = {
    metadata: { name, labels, annotations: ANNOTATIONS },
    rules: rules.map(ruleOf),
  };
  if (mark?.startsWith("<")) {
    const matchLabels = { [AGGREGATE + target]: "true" };
    object.aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
  }
  return { name, object };
}

function aggregatesInto(name: string): JsonObject {
  if (name === "edit") return { [`${AGGREGATE}admin`]: "true" };
  if (name === "view") return { [`${AGGREGATE}edit`]: "true" };
  return {};
}

/** A rule of the policy's text: `get,list,watch - nodes`. */
export function ruleOf(line: string): JsonObject {
  const [verbText = "", groupText = "", ...rest] = line.split(" ");
  const verbs = verbText.split(",").flatMap((verb) => VERBS[verb] ?? verb);
  if (groupText === "@") return { verbs, nonResourceURLs: rest };
  const apiGroups = groupText.split(",").map((g) => (g === "-" ? "" : g));
  const [resourceText = "", names] = rest;
  const resources = resourceText.split(",");
  const resourceNames = names ? names.slice(1).split(",") : undefined;
  return resourceNames
    ? { verbs, apiGroups, resources, resourceNames }
    : { verbs, apiGroups, resources };
}

function binding(line: string): JsonObject {
  const [name = "", ...who] = line.split(" ");
  const subjects = who.map(subject);
  return {
    metadata: { name, labels: LABELS, annotations: ANNOTATIONS },
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name },
    ...(subjects.length > 0 ? { subjects } : {}),
  };
}

function subject(text: string): JsonObject {
  const kind = text[0];
  const name = text.slice(2);
  if (kind === "g") return { kind: "Group", apiGroup: GROUP, name };
  if (kind === "u") return { kind: "User", apiGroup: GROUP, name };
  const [namespace = "", account = ""] = name.split("/");
  return { kind: "ServiceAccount", namespace, name: account };
}
