/**
 * Which flow schema a request falls under: the first, by precedence and then
 * by name, whose subjects and rules fit.
 * Models: apiserver/pkg/util/flowcontrol/{rule,apf_controller}.go @ v1.36
 */
import { list, num, obj, str, strings } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";
import type { UserInfo } from "../authentication/user.ts";
import type { ApiServer } from "../server.ts";
import { flowSchemas } from "./defaults.ts";

/** What is asked: of a resource, or of a path. */
export interface Digest {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly path?: string;
}

export interface Flow {
  /** Names of the schema and of its level. */
  readonly schema: string;
  readonly level: string;
}

export function flowOf(
  server: ApiServer,
  user: UserInfo,
  digest: Digest,
): Flow {
  const stored = [...server.storageOf("flowschemas").cache.values()];
  const all = (stored.length > 0 ? stored : flowSchemas()) as JsonObject[];
  const found = all
    .toSorted(byPrecedence)
    .find((one) => fits(obj(one.spec), user, digest));
  const level = obj(obj(found?.spec).priorityLevelConfiguration).name;
  return {
    schema: str(obj(found?.metadata).name) || "catch-all",
    level: str(level) || "catch-all",
  };
}

function byPrecedence(a: JsonObject, b: JsonObject): number {
  const of = (one: JsonObject) => num(obj(one.spec).matchingPrecedence);
  if (of(a) !== of(b)) return of(a) - of(b);
  const [x, y] = [a, b].map((one) => str(obj(one.metadata).name));
  return x! < y! ? -1 : 1;
}

function fits(spec: JsonObject, user: UserInfo, digest: Digest): boolean {
  return list(spec.rules).some((rule) => {
    if (!list(rule.subjects).some((one) => isMeant(one, user))) return false;
    return digest.path === undefined
      ? list(rule.resourceRules).some((one) => ofResource(one, digest))
      : list(rule.nonResourceRules).some((one) => ofPath(one, digest));
  });
}

function isMeant(subject: JsonObject, { name, groups }: UserInfo): boolean {
  const { kind, user, group, serviceAccount } = subject;
  if (kind === "User") return [name, "*"].includes(str(obj(user).name));
  if (kind === "Group") {
    const wanted = str(obj(group).name);
    return wanted === "*" || groups.includes(wanted);
  }
  const account = obj(serviceAccount);
  const prefix = `system:serviceaccount:${str(account.namespace)}:`;
  return account.name === "*"
    ? name.startsWith(prefix)
    : name === prefix + str(account.name);
}

function has(values: unknown, wanted: string): boolean {
  const all = strings(values);
  return all.includes("*") || all.includes(wanted);
}

function ofResource(rule: JsonObject, digest: Digest): boolean {
  const { verb, group = "", resource = "", subresource } = digest;
  const whole = subresource ? `${resource}/${subresource}` : resource;
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group)) return false;
  if (!has(rule.resources, whole)) return false;
  return digest.namespace
    ? has(rule.namespaces, digest.namespace)
    : rule.clusterScope === true;
}

function ofPath(rule: JsonObject, { verb, path = "" }: Digest): boolean {
  if (!has(rule.verbs, verb)) return false;
  return strings(rule.nonResourceURLs).some((url) =>
    url.endsWith("*") ? path.startsWith(url.slice(0, -1)) : url === path,
  );
}
