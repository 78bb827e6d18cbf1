/**
 * kubectl create role, clusterrole, rolebinding, clusterrolebinding.
 * Models:     kubectl/pkg/cmd/create/create_{role,clusterrole,rolebinding}.go
 */
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { type Args, flags } from "../args.ts";
import {
  CommandError,
  type Environment,
  PlainError,
  UsageError,
} from "../environment.ts";
import { kindNamed } from "../find.ts";
import { type Generator, made } from "./generator.ts";

const GROUP = "rbac.authorization.k8s.io";
const VERSION = `${GROUP}/v1`;
const RULES = flags("verb:value resource:value resource-name:value");
const WIDE_RULES = flags(
  "non-resource-url:value aggregation-rule:value",
  RULES,
);
const SUBJECTS = "user:value group:value serviceaccount:value";

export const createRole = role("Role");
export const createClusterRole = role("ClusterRole");
export const createRoleBinding = binding("RoleBinding");
export const createClusterRoleBinding = binding("ClusterRoleBinding");

function role(kind: "Role" | "ClusterRole"): Generator {
  const isWide = kind === "ClusterRole";
  return {
    flags: isWide ? WIDE_RULES : RULES,
    make(name, args, env): KubeObject {
      const aggregated = isWide ? args.list("aggregation-rule") : [];
      if (aggregated.length > 0) return aggregate(name, aggregated, args);
      const verbs = verbsOf(args);
      const urls = isWide ? unique(args.list("non-resource-url")) : [];
      check(kind, verbs, urls, args, env);
      const rules = [
        ...resourceRules(verbs, args, env),
        ...(urls.length > 0 ? [{ nonResourceURLs: urls, verbs }] : []),
      ];
      return made(VERSION, kind, name, { rules });
    },
  };
}

/** Its rules are those of the ClusterRoles that the labels choose. */
function aggregate(
  name: string,
  pairs: readonly string[],
  args: Args,
): KubeObject {
  const matchLabels: { [key: string]: string } = {};
  for (const pair of pairs) {
    const [key = "", value] = pair.split(/=(.*)/s);
    if (value === undefined)
      throw new UsageError(
        `invalid argument "${pair}" for "--aggregation-rule" flag: malformed pair, expect string=string`,
      );
    matchLabels[key] = value;
  }
  const others = ["non-resource-url", "verb", "resource", "resource-name"];
  if (others.some((flag) => args.all(flag).length > 0))
    throw new CommandError(
      "aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames",
    );
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels }] };
  return made(VERSION, "ClusterRole", name, { aggregationRule, rules: null });
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** All verbs are said by one sign. */
function verbsOf(args: Args): string[] {
  const verbs = unique(args.list("verb"));
  return verbs.includes("*") ? ["*"] : verbs;
}

const VERBS = [
  ...["*", "get", "delete", "list", "create", "update", "patch", "watch"],
  ...["proxy", "deletecollection", "use", "bind", "escalate", "impersonate"],
];
const URL_VERBS = [
  ...["*", "get", "put", "post", "head", "options", "delete", "patch"],
];

function check(
  kind: string,
  verbs: readonly string[],
  urls: readonly string[],
  args: Args,
  env: Environment,
): void {
  const resources = args.list("resource");
  if (verbs.length === 0)
    throw new CommandError("at least one verb must be specified");
  if (kind === "Role" && resources.length === 0)
    throw new CommandError("at least one resource must be specified");
  if (resources.length > 0 || kind === "Role")
    for (const verb of verbs)
      if (!VERBS.includes(verb))
        env.err(`Warning: '${verb}' is not a standard resource verb`);
  if (resources.length + urls.length === 0)
    throw new CommandError(
      "one of resource or nonResourceURL must be specified",
    );
  for (const verb of urls.length > 0 ? verbs : [])
    if (!URL_VERBS.includes(verb))
      throw new CommandError(`invalid verb: '${verb}' for nonResourceURL`);
  for (const url of urls) {
    if (url === "*") continue;
    if (!url.startsWith("/"))
      throw new CommandError("nonResourceURL should start with /");
    if (url.slice(0, -1).includes("*"))
      throw new CommandError(
        "nonResourceURL only supports wildcard matches when it is at the end",
      );
  }
}

/** A rule for each group; `pods/log` is a subresource. */
function resourceRules(
  verbs: readonly string[],
  args: Args,
  env: Environment,
): JsonObject[] {
  const groups = new Map<string, string[]>();
  for (const text of unique(args.list("resource"))) {
    const [type = "", sub] = text.split("/");
    const { group, resource } = resourceNamed(type, env);
    const full = sub ? `${resource}/${sub}` : resource;
    groups.set(group, [...(groups.get(group) ?? []), full]);
  }
  const names = unique(args.all("resource-name"));
  return [...groups].map(([group, resources]) => ({
    apiGroups: [group],
    resources,
    ...(names.length > 0 ? { resourceNames: names } : {}),
    verbs,
  }));
}

function resourceNamed(type: string, env: Environment) {
  const [resource = "", group = ""] = type.split(/\.(.*)/s);
  if (resource === "*") return { group, resource };
  const kind = env.kinds.byName(type);
  if (kind) return kind;
  if (group === "") return kindNamed(type, env);
  throw new PlainError(
    `the server doesn't have a resource type "${resource}" in group "${group}"`,
  );
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
