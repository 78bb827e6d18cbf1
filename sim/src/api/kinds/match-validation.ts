/**
 * Which writes a webhook or a policy is asked about, and on which conditions.
 * Models: pkg/apis/admissionregistration/validation/validation.go @ v1.36
 */
import { compileErrors } from "../cel/compile.ts";
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../field-error.ts";
import { labelKey, pathSegmentName } from "../names.ts";
import type { Json, JsonObject } from "../types.ts";
import { list, obj, str, strings } from "./access.ts";
import {
  choiceErrors,
  optionalChoiceErrors,
  selectorErrors,
} from "./shared-validation.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];
export const MATCH_POLICIES: readonly string[] = ["Equivalent", "Exact"];

/** Selectors and rules; a policy's say what its expressions are about. */
export function matchResourcesErrors(match: Json, path: string): FieldError[] {
  if (match === undefined) return [];
  const { matchPolicy, namespaceSelector, objectSelector, ...rest } =
    obj(match);
  const rules = ["resourceRules", "excludeResourceRules"].flatMap((field) =>
    list(rest[field]).flatMap((rule, i) =>
      namedRuleErrors(rule, `${path}.${field}[${i}]`),
    ),
  );
  return [
    ...choiceErrors(matchPolicy, `${path}.matchPolicy`, MATCH_POLICIES),
    ...selectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...selectorErrors(objectSelector, `${path}.objectSelector`),
    ...rules,
  ];
}

function namedRuleErrors(rule: JsonObject, path: string): FieldError[] {
  const names = strings(rule.resourceNames);
  const errors = names.flatMap((name, i) => {
    const at = `${path}.resourceNames[${i}]`;
    const wrong = pathSegmentName(name).map((text) => invalid(at, name, text));
    return names.indexOf(name) < i ? [...wrong, duplicate(at, name)] : wrong;
  });
  return [...errors, ...ruleErrors(rule, path)];
}

export function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const operations = strings(rule.operations);
  const unknown = operations.flatMap((operation, i) =>
    optionalChoiceErrors(operation, `${path}.operations[${i}]`, OPERATIONS),
  );
  const versions = strings(rule.apiVersions).flatMap((version, i) =>
    version === "" ? [required(`${path}.apiVersions[${i}]`)] : [],
  );
  return [
    ...someErrors(operations, `${path}.operations`, "operations"),
    ...unknown,
    ...someErrors(strings(rule.apiGroups), `${path}.apiGroups`, "API groups"),
    ...someErrors(
      strings(rule.apiVersions),
      `${path}.apiVersions`,
      "API versions",
    ),
    ...versions,
    ...resourceErrors(strings(rule.resources), `${path}.resources`),
    ...optionalChoiceErrors(rule.scope, `${path}.scope`, SCOPES),
  ];
}

/** One at least; a star stands alone. */
function someErrors(values: readonly string[], path: string, what: string) {
  if (values.length === 0) return [required(path)];
  if (values.length === 1 || !values.includes("*")) return [];
  const text = `if '*' is present, must not specify other ${what}`;
  return [invalid(path, values, text)];
}

/** `x/*` and `*` + `/x` cover what would be named after them. */
function resourceErrors(values: readonly string[], path: string) {
  const errors: FieldError[] = values.length === 0 ? [required(path)] : [];
  const [wholes, subs] = [new Set<string>(), new Set<string>()];
  let bare = false;
  for (const [i, value] of values.entries()) {
    const at = `${path}[${i}]`;
    const slash = value.indexOf("/");
    if (value === "") errors.push(required(at));
    if (value !== "" && slash < 0) bare = value !== "*";
    if (slash < 0) continue;
    const [whole, sub] = [value.slice(0, slash), value.slice(slash + 1)];
    const covered = (by: string) =>
      invalid(at, value, `if '${by}' is present, must not specify ${value}`);
    if (wholes.has(whole)) errors.push(covered(`${whole}/*`));
    if (subs.has(sub)) errors.push(covered(`*/${sub}`));
    if (sub === "*") wholes.add(whole);
    if (whole === "*") subs.add(sub);
  }
  const alone = (star: string, what: string) =>
    invalid(path, values, `if '${star}' is present, must not specify ${what}`);
  if (values.length > 1 && values.includes("*/*")) {
    errors.push(alone("*/*", "other resources"));
  }
  if (values.includes("*") && bare) {
    errors.push(alone("*", "other resources without subresources"));
  }
  return errors;
}

const CONDITIONS_MAX = 64;

/** `names` are those that an expression may use. */
export function matchConditionErrors(
  conditions: Json,
  path: string,
  names: readonly string[],
): FieldError[] {
  const all = list(conditions);
  const errors =
    all.length > CONDITIONS_MAX
      ? [tooMany(path, all.length, CONDITIONS_MAX)]
      : [];
  for (const [i, condition] of all.entries()) {
    const at = `${path}[${i}]`;
    const expression = str(condition.expression).trim();
    if (!expression) errors.push(required(`${at}.expression`));
    const compiled = compileErrors(expression, names, ["bool"]);
    for (const text of expression ? compiled : []) {
      errors.push(invalid(`${at}.expression`, expression, text));
    }
    const name = str(condition.name);
    if (!name) errors.push(required(`${at}.name`));
    for (const text of name ? labelKey(name) : []) {
      errors.push(invalid(`${at}.name`, name, text));
    }
    if (name && all.findIndex((one) => one.name === name) < i) {
      errors.push(duplicate(`${at}.name`, name));
    }
  }
  return errors;
}

/** What only changes can be made to: nothing is left of what is deleted. */
const CHANGEABLE = OPERATIONS.filter((one) => one !== "DELETE");

export function changeableErrors(match: Json, path: string): FieldError[] {
  const asked = list(obj(match).resourceRules).flatMap((rule) =>
    strings(rule.operations),
  );
  return asked
    .filter((one) => !CHANGEABLE.includes(one))
    .map((one) =>
      notSupported(`${path}.resourceRules.operations`, one, CHANGEABLE),
    );
}
