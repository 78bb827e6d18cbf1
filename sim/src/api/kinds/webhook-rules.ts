/**
 * What both kinds of webhook configuration share. A flaw that was there before
 * is no obstacle to another change.
 * Models: pkg/apis/admissionregistration/{v1/defaults.go,validation/validation.go} @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1035Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import {
  MATCH_POLICIES,
  matchConditionErrors,
  ruleErrors,
} from "./match-validation.ts";
import { optionalChoiceErrors, selectorErrors } from "./shared-validation.ts";
import { clientConfigErrors } from "./webhook-client.ts";

const NO_SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS = ["None", "NoneOnDryRun", "Some", "Unknown"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
export const FAILURE_POLICIES: readonly string[] = ["Fail", "Ignore"];
export const REINVOCATION_POLICIES: readonly string[] = ["IfNeeded", "Never"];
/** What an expression may name that decides whether a webhook is asked. */
export const CONDITION_NAMES: readonly string[] = [
  ...["object", "oldObject", "request", "authorizer"],
];

/** Which rules hold, given what was wrong already. */
interface Strictness {
  readonly effects: readonly string[];
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
  readonly conditions: boolean;
}

export function webhookErrors(object: Obj): FieldError[] {
  return allErrors(list(object.webhooks), {
    effects: NO_SIDE_EFFECTS,
    knownVersion: true,
    uniqueNames: true,
    conditions: true,
  });
}

export function webhookChangeErrors(object: Obj, old: Obj): FieldError[] {
  const before = list(old.webhooks);
  const now = list(object.webhooks);
  const names = new Set(before.map(({ name }) => name));
  const kept =
    now.length === before.length &&
    now.every(({ matchConditions }, i) =>
      same(matchConditions ?? [], before[i]!.matchConditions ?? []),
    );
  const harmless = before.every(({ sideEffects }) =>
    NO_SIDE_EFFECTS.includes(str(sideEffects)),
  );
  return allErrors(now, {
    effects: harmless ? NO_SIDE_EFFECTS : SIDE_EFFECTS,
    knownVersion: before.every((one) => {
      const versions = strings(one.admissionReviewVersions);
      return versions.length === 0 || versions.some(isKnown);
    }),
    uniqueNames: names.size === before.length,
    conditions: !kept,
  });
}

function isKnown(version: string): boolean {
  return REVIEW_VERSIONS.includes(version);
}

function allErrors(webhooks: readonly JsonObject[], strict: Strictness) {
  return webhooks.flatMap((webhook, i) => {
    const path = `webhooks[${i}]`;
    const { name, admissionReviewVersions } = webhook;
    const errors = [
      ...oneWebhook(webhook, path, strict),
      ...versionErrors(
        strings(admissionReviewVersions),
        `${path}.admissionReviewVersions`,
        strict.knownVersion,
      ),
    ];
    const again = webhooks.findIndex((one) => one.name === name) < i;
    if (strict.uniqueNames && name && again) {
      errors.push(duplicate(`${path}.name`, name));
    }
    return errors;
  });
}

function oneWebhook(
  webhook: JsonObject,
  path: string,
  strict: Strictness,
): FieldError[] {
  const { failurePolicy, matchPolicy, reinvocationPolicy } = webhook;
  const choice = (field: string, values: readonly string[]) =>
    optionalChoiceErrors(webhook[field], `${path}.${field}`, values);
  return [
    ...qualifiedNameErrors(str(webhook.name), `${path}.name`),
    ...list(webhook.rules).flatMap((rule, i) =>
      ruleErrors(rule, `${path}.rules[${i}]`),
    ),
    ...(failurePolicy ? choice("failurePolicy", FAILURE_POLICIES) : []),
    ...(matchPolicy ? choice("matchPolicy", MATCH_POLICIES) : []),
    ...effectErrors(webhook, path, strict.effects),
    ...timeoutErrors(webhook, path),
    ...["namespaceSelector", "objectSelector"].flatMap((field) =>
      selectorErrors(webhook[field], `${path}.${field}`),
    ),
    ...(reinvocationPolicy
      ? choice("reinvocationPolicy", REINVOCATION_POLICIES)
      : []),
    ...clientConfigErrors(obj(webhook.clientConfig), `${path}.clientConfig`),
    ...(strict.conditions
      ? matchConditionErrors(
          webhook.matchConditions,
          `${path}.matchConditions`,
          CONDITION_NAMES,
        )
      : []),
  ];
}

function qualifiedNameErrors(name: string, path: string): FieldError[] {
  if (!name) return [required(path)];
  const wrong = dns1123Subdomain(name);
  if (wrong.length > 0) return [invalid(path, name, wrong.join(","))];
  if (name.split(".").length >= 3) return [];
  const rule =
    "should be a domain with at least three segments separated by dots";
  return [invalid(path, name, rule)];
}

function effectErrors(
  { sideEffects }: JsonObject,
  path: string,
  allowed: readonly string[],
): FieldError[] {
  const at = `${path}.sideEffects`;
  if (sideEffects === undefined) {
    return [required(at, `must specify one of ${allowed.join(", ")}`)];
  }
  return allowed.includes(str(sideEffects))
    ? []
    : [notSupported(at, sideEffects, allowed)];
}

function timeoutErrors({ timeoutSeconds }: JsonObject, path: string) {
  if (typeof timeoutSeconds !== "number") return [];
  if (timeoutSeconds >= 1 && timeoutSeconds <= 30) return [];
  const rule = "the timeout value must be between 1 and 30 seconds";
  return [invalid(`${path}.timeoutSeconds`, timeoutSeconds, rule)];
}

/** Versions of the question that is sent, AdmissionReview or another. */
export function versionErrors(
  versions: readonly string[],
  path: string,
  needsKnown: boolean,
  missing = `must specify one of ${REVIEW_VERSIONS.join(", ")}`,
): FieldError[] {
  if (versions.length === 0) return [required(path, missing)];
  const errors = versions.flatMap((version, i) => {
    const at = `${path}[${i}]`;
    if (versions.indexOf(version) < i) {
      return [invalid(at, version, "duplicate version")];
    }
    return dns1035Label(version).map((text) => invalid(at, version, text));
  });
  if (!needsKnown || versions.some(isKnown)) return errors;
  const rule = `must include at least one of ${REVIEW_VERSIONS.join(", ")}`;
  return [...errors, invalid(path, versions, rule)];
}
