/**
 * Policies: what their rules are about, and what the rules say.
 * Models: pkg/apis/admissionregistration/validation/validation.go @ v1.36
 */
import { isCelIdentifier } from "../cel/names.ts";
import { type FieldError, invalid, required } from "../field-error.ts";
import { dns1035Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import {
  changeableErrors,
  matchConditionErrors,
  matchResourcesErrors,
} from "./match-validation.ts";
import { mutationErrors } from "./mutation-validation.ts";
import {
  expressionErrors,
  validationsErrors,
} from "./policy-rules-validation.ts";
import { choiceErrors } from "./shared-validation.ts";
import { CONDITION_NAMES, FAILURE_POLICIES } from "./webhook-rules.ts";

/** What a policy's expressions may name, besides parameters and variables. */
const NAMES: readonly string[] = [...CONDITION_NAMES, "namespaceObject"];

export function policyErrors(policy: Obj): FieldError[] {
  return specErrors(policy, true);
}

/** Conditions that stand as they stood are not looked at again. */
export function policyChangeErrors(policy: Obj, old: Obj): FieldError[] {
  const [now, before] = [obj(policy.spec), obj(old.spec)];
  const kept =
    same(now.paramKind, before.paramKind) &&
    same(now.matchConditions ?? [], before.matchConditions ?? []);
  return specErrors(policy, !kept);
}

function specErrors(policy: Obj, conditions: boolean): FieldError[] {
  const spec = obj(policy.spec);
  const mutates = policy.kind === "MutatingAdmissionPolicy";
  const params = spec.paramKind === undefined ? [] : ["params"];
  const names = [...NAMES, ...params];
  const path = "spec.matchConditions";
  const variables = list(spec.variables);
  const inRules = variables.length > 0 ? [...names, "variables"] : names;
  return [
    ...choiceErrors(spec.failurePolicy, "spec.failurePolicy", FAILURE_POLICIES),
    ...(spec.paramKind === undefined
      ? []
      : paramKindErrors(obj(spec.paramKind))),
    ...constraintErrors(spec, mutates),
    ...(conditions
      ? matchConditionErrors(spec.matchConditions, path, names)
      : []),
    ...variables.flatMap((variable, i) =>
      variableErrors(variable, `spec.variables[${i}]`, inRules),
    ),
    ...(mutates
      ? mutationErrors(spec, inRules)
      : validationsErrors(policy, spec, inRules)),
  ];
}

function constraintErrors(spec: JsonObject, mutates: boolean): FieldError[] {
  const path = "spec.matchConstraints";
  const { matchConstraints } = spec;
  if (matchConstraints === undefined) return [required(path)];
  const none = list(obj(matchConstraints).resourceRules).length === 0;
  return [
    ...matchResourcesErrors(matchConstraints, path),
    // Rules say of which types the expressions are.
    ...(none ? [required(`${path}.resourceRules`)] : []),
    ...(mutates ? changeableErrors(matchConstraints, path) : []),
  ];
}

function paramKindErrors({ apiVersion, kind }: JsonObject): FieldError[] {
  const errors = paramVersionErrors(str(apiVersion));
  const path = "spec.paramKind.kind";
  if (!kind) return [...errors, required(path)];
  const wrong = dns1035Label(str(kind).toLowerCase()).join(",");
  if (!wrong) return errors;
  const text = `may have mixed case, but should otherwise match: ${wrong}`;
  return [...errors, invalid(path, kind, text)];
}

function paramVersionErrors(apiVersion: string): FieldError[] {
  const path = "spec.paramKind.apiVersion";
  if (!apiVersion) return [required(path)];
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    const text = `unexpected GroupVersion string: ${apiVersion}`;
    return [invalid(path, apiVersion, text)];
  }
  const version = parts.at(-1)!;
  const group = parts.length === 2 ? parts[0]! : "";
  const errors: FieldError[] = [];
  const badGroup = group ? dns1123Subdomain(group).join(",") : "";
  if (badGroup) errors.push(invalid(path, group, badGroup));
  const badVersion = dns1035Label(version).join(",");
  if (!version) {
    errors.push(invalid(path, apiVersion, "version must be specified"));
  } else if (badVersion) errors.push(invalid(path, version, badVersion));
  return errors;
}

function variableErrors(
  variable: JsonObject,
  path: string,
  names: readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  const name = str(variable.name);
  if (!name.trim()) {
    errors.push(required(`${path}.name`, "name is not specified"));
  } else if (!isCelIdentifier(name)) {
    const text = "name is not a valid CEL identifier";
    errors.push(invalid(`${path}.name`, name, text));
  }
  return [
    ...errors,
    ...expressionErrors(variable.expression, `${path}.expression`, names),
  ];
}

/** What the controller found out about the types of expressions. */
export function policyStatusErrors({ status }: Obj): FieldError[] {
  const { typeChecking } = obj(status);
  const warnings = list(obj(typeChecking).expressionWarnings);
  return warnings.flatMap(({ fieldRef, warning }, i) => {
    const path = `status.typeChecking.expressionWarnings[${i}]`;
    return [
      ...(warning ? [] : [required(`${path}.warning`)]),
      ...(str(fieldRef).trim() ? [] : [required(`${path}.fieldRef`)]),
    ];
  });
}
