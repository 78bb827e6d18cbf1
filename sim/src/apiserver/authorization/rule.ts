/**
 * One rule of a Role: does it allow this request?
 * Models: plugin/pkg/auth/authorizer/rbac/rbac.go,
 *         pkg/apis/rbac/v1/evaluation_helpers.go @ v1.36
 */

/** `rules[i]` of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What is asked for: a resource, or with `path` something that is none. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Of a list or a watch, as asked. */
  readonly fieldSelector?: string;
  /** URL of a request that concerns no resource: `/healthz`. */
  readonly path?: string;
}

export function ruleAllows(rule: PolicyRule, a: Attributes): boolean {
  if (!hasOrAll(rule.verbs, a.verb)) return false;
  if (a.path !== undefined) {
    return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, a.path!));
  }
  if (!hasOrAll(rule.apiGroups, a.group)) return false;
  return resourceMatches(rule, a) && nameMatches(rule, a);
}

/** `pods`, `pods/log`, a star slash `log`, or a star for all. */
function resourceMatches(rule: PolicyRule, a: Attributes): boolean {
  const { subresource } = a;
  if (hasOrAll(rule.resources, askedOf(a))) return true;
  if (!subresource) return false;
  return rule.resources?.includes(`*/${subresource}`) ?? false;
}

/** As a rule names it: `pods`, `pods/log`. */
export function askedOf({ resource, subresource }: Attributes): string {
  return subresource ? `${resource}/${subresource}` : resource;
}

/** A rule with names allows these alone; a list or create has no name. */
function nameMatches(rule: PolicyRule, a: Attributes): boolean {
  const names = rule.resourceNames;
  return !names || names.length === 0 || names.includes(a.name ?? "");
}

/** A star at the end stands for any rest. */
function urlMatches(allowed: string, path: string): boolean {
  if (allowed === "*" || allowed === path) return true;
  if (!allowed.endsWith("*")) return false;
  return path.startsWith(allowed.replace(/\*+$/, ""));
}

function hasOrAll(list: readonly string[] | undefined, wanted: string) {
  return list?.includes(wanted) || list?.includes("*") || false;
}
