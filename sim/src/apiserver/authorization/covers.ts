/**
 * Which of some rights do others not cover? Rules are broken down to single
 * rights, compared, and what is left is put together again by what it is about.
 * Models: component-helpers/auth/rbac/validation/policy_comparator.go,
 *         pkg/registry/rbac/validation/policy_compact.go, CompactString of
 *         pkg/apis/rbac/v1/evaluation_helpers.go @ v1.36
 */
import { quote } from "../../api/go-text.ts";
import type { PolicyRule } from "./rule.ts";

/** As texts, in their order: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}` */
export function missingRights(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly string[] {
  const rights = wanted.flatMap(brokenDown);
  const lacking = rights.filter(
    (right) => !held.some((rule) => covers(rule, right)),
  );
  const texts = compact(lacking).map(ruleText);
  return [...new Set(texts)].toSorted();
}

function brokenDown(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [] } = rule;
  const { resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length > 0 ? resourceNames : [undefined];
  const ofResources = apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name === undefined ? {} : { resourceNames: [name] }),
        })),
      ),
    ),
  );
  const ofPaths = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...ofResources, ...ofPaths];
}

function covers(rule: PolicyRule, right: PolicyRule): boolean {
  const names = rule.resourceNames ?? [];
  return (
    hasAll(rule.verbs, right.verbs) &&
    hasAll(rule.apiGroups, right.apiGroups) &&
    (right.resources ?? []).every((one) => coversResource(rule, one)) &&
    (names.length === 0 ||
      (right.resourceNames?.every((name) => names.includes(name)) ?? false)) &&
    (right.nonResourceURLs ?? []).every((url) => coversUrl(rule, url))
  );
}

function hasAll(
  list: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): boolean {
  if (list?.includes("*")) return true;
  return (wanted ?? []).every((one) => list?.includes(one));
}

function coversResource({ resources = [] }: PolicyRule, one: string): boolean {
  if (resources.includes("*") || resources.includes(one)) return true;
  const slash = one.indexOf("/");
  return slash >= 0 && resources.includes(`*${one.slice(slash)}`);
}

function coversUrl({ nonResourceURLs = [] }: PolicyRule, url: string): boolean {
  return nonResourceURLs.some(
    (one) =>
      one === url ||
      (one.endsWith("*") && url.startsWith(one.replace(/\*+$/, ""))),
  );
}

/** Rights on one resource, or one object of it, differ in the verb alone. */
function compact(rights: readonly PolicyRule[]): readonly PolicyRule[] {
  const byResource = new Map<string, PolicyRule>();
  for (const right of rights) {
    const { verbs: _, ...what } = right;
    const key = JSON.stringify(what);
    const verbs = right.nonResourceURLs
      ? undefined
      : byResource.get(key)?.verbs;
    const id = right.nonResourceURLs ? `${key} ${right.verbs[0]}` : key;
    byResource.set(id, { ...right, verbs: [...(verbs ?? []), ...right.verbs] });
  }
  return [...byResource.values()];
}

function ruleText(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ];
  const shown = parts.flatMap(([name, values]) => {
    if (!values) return [];
    const quoted = values.map(quote).join(" ");
    return [`${name}:[${quoted}]`];
  });
  return `{${shown.join(", ")}}`;
}
