/**
 * What both kinds of webhook configuration share.
 * Models: pkg/apis/admissionregistration/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { at, list, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { optionalChoiceErrors } from "./shared-validation.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const sideEffects = ["None", "NoneOnDryRun"];

export function webhookErrors(object: Obj): FieldError[] {
  const names = new Set<string>();
  return list(object.webhooks).flatMap((webhook, i) => {
    const path = `webhooks[${i}]`;
    const name = str(webhook.name);
    const errors = oneWebhook(webhook, path);
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    return errors;
  });
}

function oneWebhook(webhook: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = str(webhook.name);
  if (!name) errors.push(required(`${path}.name`));
  else if (name.split(".").length < 3) {
    const rule =
      "should be a domain with at least three segments separated by dots";
    errors.push(invalid(`${path}.name`, name, rule));
  }
  const versions = strings(webhook.admissionReviewVersions);
  if (versions.length === 0) {
    errors.push(
      required(
        `${path}.admissionReviewVersions`,
        "must specify one of v1, v1beta1",
      ),
    );
  }
  for (const [i, rule] of list(webhook.rules).entries()) {
    errors.push(...ruleErrors(rule, `${path}.rules[${i}]`));
  }
  return [...errors, ...callErrors(webhook, path)];
}

function callErrors(webhook: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const effects = str(webhook.sideEffects);
  if (!webhook.sideEffects) {
    const rule = `must specify one of ${sideEffects.join(", ")}`;
    errors.push(required(`${path}.sideEffects`, rule));
  } else if (!sideEffects.includes(effects)) {
    errors.push(notSupported(`${path}.sideEffects`, effects, sideEffects));
  }
  const { timeoutSeconds } = webhook;
  if (
    typeof timeoutSeconds === "number" &&
    (timeoutSeconds > 30 || timeoutSeconds < 1)
  ) {
    const rule = "the timeout value must be between 1 and 30 seconds";
    errors.push(invalid(`${path}.timeoutSeconds`, timeoutSeconds, rule));
  }
  const config = obj(webhook.clientConfig);
  if ((config.url === undefined) === (config.service === undefined)) {
    const rule = "exactly one of url or service is required";
    errors.push(required(`${path}.clientConfig`, rule));
  }
  return [...errors, ...policyErrors(webhook, path)];
}

function policyErrors(webhook: JsonObject, path: string): FieldError[] {
  const choices = {
    failurePolicy: ["Fail", "Ignore"],
    matchPolicy: ["Equivalent", "Exact"],
  };
  return Object.entries(choices).flatMap(([field, values]) =>
    optionalChoiceErrors(webhook[field], `${path}.${field}`, values),
  );
}

export function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ["apiGroups", "apiVersions", "resources"]) {
    if (strings(rule[field]).length === 0)
      errors.push(required(`${path}.${field}`));
  }
  const given = strings(rule.operations);
  if (given.length === 0) errors.push(required(`${path}.operations`));
  for (const [i, operation] of given.entries()) {
    if (!operations.includes(operation)) {
      errors.push(
        notSupported(`${path}.operations[${i}]`, operation, operations),
      );
    }
  }
  if (given.length > 1 && given.includes("*")) {
    const text = "if '*' is present, must not specify other operations";
    errors.push(invalid(`${path}.operations`, at(rule, "operations"), text));
  }
  return errors;
}
