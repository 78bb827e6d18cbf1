/**
 * Which rights some rules give that others do not.
 * Models:     component-helpers/auth/rbac/validation/policy_comparator.go @ v1.36
 */
import { list, strings } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";

/** Each right of `wanted` on its own that `given` does not include. */
export function uncovered(
  given: readonly JsonObject[],
  wanted: readonly JsonObject[],
): JsonObject[] {
  return wanted
    .flatMap(single)
    .filter((one) => !given.some((rule) => covers(rule, one)));
}

/** Rules of one verb for one resource, one name or one path. */
function single(rule: JsonObject): JsonObject[] {
  const verbs = strings(rule.verbs);
  const names = strings(rule.resourceNames);
  const resources = strings(rule.apiGroups).flatMap((group) =>
    strings(rule.resources).flatMap((resource) =>
      verbs.flatMap((verb): JsonObject[] => {
        const one = {
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
        };
        if (names.length === 0) return [one];
        return names.map((name) => ({ ...one, resourceNames: [name] }));
      }),
    ),
  );
  const urls = strings(rule.nonResourceURLs).flatMap((url) =>
    verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...resources, ...urls];
}

function covers(rule: JsonObject, one: JsonObject): boolean {
  const all = (field: string) => strings(rule[field]);
  const wanted = (field: string) => strings(one[field]);
  const has = (field: string) =>
    all(field).includes("*") ||
    wanted(field).every((item) => all(field).includes(item));
  const names = all("resourceNames");
  const named = wanted("resourceNames");
  const namesFit =
    names.length === 0 ||
    (named.length > 0 && named.every((name) => names.includes(name)));
  return (
    has("verbs") &&
    has("apiGroups") &&
    wanted("resources").every((path) => resourceFits(all("resources"), path)) &&
    namesFit &&
    wanted("nonResourceURLs").every((url) =>
      all("nonResourceURLs").some((own) => urlFits(own, url)),
    )
  );
}

/** All of them, or of every kind the same subresource. */
function resourceFits(own: readonly string[], path: string): boolean {
  if (own.includes("*") || own.includes(path)) return true;
  const [, sub] = path.split(/\/(.*)/s);
  return sub !== undefined && own.includes(`*/${sub}`);
}

function urlFits(own: string, url: string): boolean {
  if (own === url) return true;
  return own.endsWith("*") && url.startsWith(own.replace(/\*+$/, ""));
}

/** What the first list has and the second has not. */
export function missingIn(
  wanted: readonly JsonObject[],
  has: readonly JsonObject[],
): JsonObject[] {
  const key = ({ kind, name, namespace, apiGroup }: JsonObject) =>
    JSON.stringify([kind, name, namespace ?? "", apiGroup ?? ""]);
  const known = new Set(has.map(key));
  return wanted.filter((one) => {
    const fresh = !known.has(key(one));
    known.add(key(one));
    return fresh;
  });
}

export function rulesOf(object: JsonObject): readonly JsonObject[] {
  return list(object.rules);
}
