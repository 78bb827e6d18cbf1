/**
 * Bindings: which policy, with which parameters, on which writes.
 * Models: pkg/apis/admissionregistration/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { dns1123Subdomain, pathSegmentName } from "../names.ts";
import type { Json } from "../types.ts";
import { obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { changeableErrors, matchResourcesErrors } from "./match-validation.ts";
import {
  choiceErrors,
  optionalChoiceErrors,
  selectorErrors,
} from "./shared-validation.ts";

const ACTIONS = ["Audit", "Deny", "Warn"];

export function bindingErrors(binding: Obj): FieldError[] {
  const { policyName, paramRef, matchResources, validationActions } = obj(
    binding.spec,
  );
  const mutates = binding.kind === "MutatingAdmissionPolicyBinding";
  const name = str(policyName);
  const path = "spec.policyName";
  // The server's own word for it, misspelt as it is.
  const match = mutates ? "spec.matchResources" : "spec.matchResouces";
  return [
    ...(name
      ? dns1123Subdomain(name).map((text) => invalid(path, name, text))
      : [required(path)]),
    ...paramRefErrors(paramRef),
    ...matchResourcesErrors(matchResources, match),
    ...(mutates
      ? changeableErrors(matchResources, match)
      : actionErrors(strings(validationActions))),
  ];
}

function paramRefErrors(ref: Json): FieldError[] {
  if (ref === undefined) return [];
  const path = "spec.paramRef";
  const { name, selector, parameterNotFoundAction } = obj(ref);
  const both = "name and selector are mutually exclusive";
  const errors = pathSegmentName(str(name)).map((text) =>
    invalid(`${path}.name`, name, text),
  );
  if (name && selector) errors.push(forbidden(`${path}.name`, both));
  errors.push(...selectorErrors(selector, `${path}.selector`));
  if (name && selector) errors.push(forbidden(`${path}.selector`, both));
  if (!name && !selector) {
    const rule = "one of name or selector must be specified";
    errors.push(required(path, rule));
  }
  const at = `${path}.parameterNotFoundAction`;
  return [
    ...errors,
    ...choiceErrors(parameterNotFoundAction, at, ["Deny", "Allow"]),
  ];
}

function actionErrors(actions: readonly string[]): FieldError[] {
  const path = "spec.validationActions";
  const errors = actions.flatMap((action, i) => [
    ...optionalChoiceErrors(action, `${path}[${i}]`, ACTIONS),
    ...(actions.indexOf(action) < i
      ? [duplicate(`${path}[${i}]`, action)]
      : []),
  ]);
  if (actions.includes("Deny") && actions.includes("Warn")) {
    const rule =
      "must not contain both Deny and Warn (repeating the same validation " +
      "failure information in the API response and headers serves no purpose)";
    errors.push(invalid(path, actions, rule));
  }
  if (actions.length > 0) return errors;
  return [required(path, "at least one validation action is required")];
}
