/**
 * Which requests a rule of a FlowSchema may mean.
 * Models: ValidateFlowSchema{Resource,NonResource}PolicyRule of
 *         pkg/apis/flowcontrol/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, strings } from "./access.ts";

const verbs = [
  ...["create", "delete", "deletecollection", "get", "list", "patch"],
  ...["proxy", "update", "watch"],
];

export function flowRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const [resource, other] = [
    list(rule.resourceRules),
    list(rule.nonResourceRules),
  ];
  const errors = [
    ...resource.flatMap((one, i) =>
      resourceErrors(one, `${path}.resourceRules[${i}]`),
    ),
    ...other.flatMap((one, i) =>
      otherErrors(one, `${path}.nonResourceRules[${i}]`),
    ),
  ];
  if (resource.length + other.length > 0) return errors;
  const text =
    "at least one of resourceRules and nonResourceRules has to be non-empty";
  return [required(path, text)];
}

function verbErrors(rule: JsonObject, path: string): FieldError[] {
  const said = strings(rule.verbs);
  if (said.length === 0)
    return [required(path, "verbs must contain at least one value")];
  if (said.includes("*")) return aloneErrors(said, path, "verbs");
  if (said.every((verb) => verbs.includes(verb))) return [];
  return [notSupported(path, said, verbs)];
}

/** Beside `*` nothing else may be said. */
function aloneErrors(
  said: readonly string[],
  path: string,
  what: string,
): FieldError[] {
  if (said.length < 2 || !said.includes("*")) return [];
  const rule = `if '*' is present, must not specify other ${what}`;
  return [invalid(path, said, rule)];
}

function resourceErrors(rule: JsonObject, path: string): FieldError[] {
  const some = (field: string, one: string, what: string) => {
    const said = strings(rule[field]);
    const where = `${path}.${field}`;
    if (said.length > 0) return aloneErrors(said, where, what);
    return [required(where, `resource rules must supply at least one ${one}`)];
  };
  return [
    ...verbErrors(rule, `${path}.verbs`),
    ...some("apiGroups", "api group", "api groups"),
    ...some("resources", "resource", "resources"),
    ...namespaceErrors(rule, `${path}.namespaces`),
  ];
}

function namespaceErrors(rule: JsonObject, path: string): FieldError[] {
  const said = strings(rule.namespaces);
  if (said.length === 0) {
    const text =
      "resource rules that are not cluster scoped must supply at least one namespace";
    return rule.clusterScope === true ? [] : [required(path, text)];
  }
  if (said.includes("*")) return aloneErrors(said, path, "namespaces");
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  return said.flatMap((name, i) =>
    dns1123Label(name).map((text) =>
      invalid(`${path}[${i}]`, name, intro + text),
    ),
  );
}

function otherErrors(rule: JsonObject, path: string): FieldError[] {
  const errors = verbErrors(rule, `${path}.verbs`);
  const said = strings(rule.nonResourceURLs);
  const where = `${path}.nonResourceURLs`;
  if (said.length === 0) {
    const text = "nonResourceURLs must contain at least one value";
    return [...errors, required(where, text)];
  }
  if (said.includes("*"))
    return [...errors, ...aloneErrors(said, where, "non-resource URLs")];
  return [
    ...errors,
    ...said.flatMap((url, i) => {
      const wrong = urlProblem(url);
      return wrong ? [invalid(`${where}[${i}]`, url, wrong)] : [];
    }),
  ];
}

function urlProblem(url: string): string | undefined {
  if (!url) return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const stars = url.split("*").length - 1;
  if (stars === 0 || (stars === 1 && url.endsWith("/*"))) return undefined;
  return "wildcard can only do suffix matching";
}
