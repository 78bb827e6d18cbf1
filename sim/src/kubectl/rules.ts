/**
 * RBAC rules in the form in which kubectl lists them: one resource a line,
 * with all verbs that go with it.
 * Models:     kubectl/pkg/util/rbac/rbac.go,
 *             kubectl/pkg/describe/describe.go (CombineResourceGroup) @ v1.36
 */
import { strings } from "../api/kinds/access.ts";
import type { JsonObject } from "../api/types.ts";

/** At most one group, one resource, one name; or one path. */
interface SmallRule {
  readonly group: string | undefined;
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly path: string | undefined;
  readonly verbs: readonly string[];
}

export const RULE_HEADER =
  "Resources\tNon-Resource URLs\tResource Names\tVerbs";

/** A line a rule; rules that differ in their verbs alone are one. */
export function ruleLines(rules: readonly JsonObject[]): string[] {
  const found = compact(rules.flatMap(brokenDown));
  const keyed = found.map((rule) => ({ rule, key: keyOf(rule) }));
  return keyed
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ rule }) => lineOf(rule));
}

/** One rule a verb. */
function brokenDown(rule: JsonObject): SmallRule[] {
  const verbs = strings(rule.verbs).map((verb) => [verb]);
  const names = strings(rule.resourceNames);
  const none = { group: undefined, resource: undefined, name: undefined };
  const resources = strings(rule.apiGroups).flatMap((group) =>
    strings(rule.resources).flatMap((resource) =>
      verbs.flatMap((one) =>
        (names.length > 0 ? names : [undefined]).map((name) => {
          return { group, resource, name, path: undefined, verbs: one };
        }),
      ),
    ),
  );
  const paths = strings(rule.nonResourceURLs).flatMap((path) =>
    verbs.map((one) => ({ ...none, path, verbs: one })),
  );
  return [...resources, ...paths];
}

/** Joins the verbs of one resource. Paths stay one a verb, as upstream's. */
function compact(rules: readonly SmallRule[]): SmallRule[] {
  const paths: SmallRule[] = [];
  const byResource = new Map<string, SmallRule>();
  for (const rule of rules) {
    const { group, resource, name, path, verbs } = rule;
    if (path !== undefined) {
      paths.push(rule);
      continue;
    }
    const key = JSON.stringify([group, resource, name]);
    const before = byResource.get(key)?.verbs ?? [];
    const more = verbs.filter((verb) => !before.includes(verb));
    byResource.set(key, { ...rule, verbs: [...before, ...more] });
  }
  return [...paths, ...byResource.values()];
}

/** What upstream sorts by: the rule as Go prints it. */
function keyOf({ verbs, group, resource, name, path }: SmallRule): string {
  return (
    `Verbs:${cell(...verbs)},APIGroups:${cell(group)},` +
    `Resources:${cell(resource)},ResourceNames:${cell(name)},` +
    `NonResourceURLs:${cell(path)},`
  );
}

function lineOf({ verbs, group, resource, name, path }: SmallRule): string {
  const what = resource === undefined ? "" : inGroup(resource, group);
  return [what, cell(path), cell(name), cell(...verbs)].join("\t");
}

/** `deployments.apps/scale` */
function inGroup(resource: string, group: string | undefined): string {
  const [kind = "", sub] = resource.split(/\/(.*)/s);
  const tail = sub === undefined ? "" : `/${sub}`;
  return `${kind}${group ? `.${group}` : ""}${tail}`;
}

function cell(...values: readonly (string | undefined)[]): string {
  return `[${values.filter((one) => one !== undefined).join(" ")}]`;
}
