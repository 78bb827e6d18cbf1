/**
 * kubectl create role, clusterrole, rolebinding, clusterrolebinding.
 * Models:     kubectl/pkg/cmd/create/create_{role,clusterrole,rolebinding}.go
 */
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { type Args, flags } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { kindNamed } from "../find.ts";
import { type Generator, made } from "./generator.ts";

const GROUP = "rbac.authorization.k8s.io";
const VERSION = `${GROUP}/v1`;
const RULES =
  "verb:value resource:value resource-name:value non-resource-url:value";
const SUBJECTS = "user:value group:value serviceaccount:value";

export const createRole = role("Role");
export const createClusterRole = role("ClusterRole");
export const createRoleBinding = binding("RoleBinding");
export const createClusterRoleBinding = binding("ClusterRoleBinding");

function role(kind: string): Generator {
  return {
    flags: flags(RULES),
    failure: `failed to create ${kind.toLowerCase()}: `,
    make(name, args, env): KubeObject {
      const verbs = args.list("verb");
      if (verbs.length === 0) {
        throw new CommandError("at least one verb must be specified");
      }
      const urls = args.list("non-resource-url");
      const rules = [
        ...resourceRules(args, env),
        ...(urls.length > 0 ? [{ nonResourceURLs: urls, verbs }] : []),
      ];
      return made(VERSION, kind, name, { rules });
    },
  };
}

/** A rule for each group; `pods/log` is a subresource. */
function resourceRules(args: Args, env: Environment): JsonObject[] {
  const groups = new Map<string, string[]>();
  for (const text of args.list("resource")) {
    const [type = "", sub] = text.split("/");
    const { group, resource } =
      type === "*" ? { group: "*", resource: "*" } : kindNamed(type, env);
    const full = sub ? `${resource}/${sub}` : resource;
    groups.set(group, [...(groups.get(group) ?? []), full]);
  }
  const verbs = args.list("verb");
  const names = args.list("resource-name");
  return [...groups].map(([group, resources]) => ({
    apiGroups: [group],
    resources,
    ...(names.length > 0 ? { resourceNames: names } : {}),
    verbs,
  }));
}

function binding(kind: string): Generator {
  return {
    flags: flags(`role:value clusterrole:value ${SUBJECTS}`),
    failure: `failed to create ${kind.toLowerCase()}: `,
    make(name, args) {
      const cluster = args.get("clusterrole");
      const own = args.get("role");
      if ((cluster === undefined) === (own === undefined)) {
        throw new CommandError(
          "exactly one of clusterrole or role must be specified",
        );
      }
      const refKind = cluster === undefined ? "Role" : "ClusterRole";
      const roleRef = { apiGroup: GROUP, kind: refKind, name: cluster ?? own };
      const subjects = subjectsOf(args);
      const some = subjects.length > 0 ? { subjects } : {};
      return made(VERSION, kind, name, { roleRef, ...some });
    },
  };
}

function subjectsOf(args: Args): JsonObject[] {
  const named = (kind: string) => (name: string) => ({
    apiGroup: GROUP,
    kind,
    name,
  });
  return [
    ...args.list("user").map(named("User")),
    ...args.list("group").map(named("Group")),
    ...args.list("serviceaccount").map((text) => {
      const [namespace = "", name] = text.split(":");
      if (!name) {
        throw new CommandError("serviceaccount must be <namespace>:<name>");
      }
      return { kind: "ServiceAccount", name, namespace };
    }),
  ];
}
