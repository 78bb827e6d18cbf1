/**
 * What the spec of a Job may say, its own or a CronJob's.
 * Models: validateJobSpec of pkg/apis/batch/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../field-error.ts";
import { domainPrefixedPath } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { at, num, str } from "./access.ts";
import {
  failurePolicyErrors,
  successPolicyErrors,
} from "./job-policy-validation.ts";
import { negativeErrors, optionalChoiceErrors } from "./shared-validation.ts";
import { templateErrors } from "./template-validation.ts";

const counts = [
  ...["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit"],
  ...["ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"],
];
const modes = ["NonIndexed", "Indexed"];
const managerBytesMax = 63;

export function jobSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = counts.flatMap((count) =>
    negativeErrors(spec[count], `${path}.${count}`),
  );
  const { completionMode: mode, maxFailedIndexes, managedBy } = spec;
  const perIndex = spec.backoffLimitPerIndex;
  if (maxFailedIndexes !== undefined && perIndex === undefined) {
    const why = "when maxFailedIndexes is specified";
    errors.push(required(`${path}.backoffLimitPerIndex`, why));
  }
  if (managedBy !== undefined)
    errors.push(...managerErrors(str(managedBy), `${path}.managedBy`));
  errors.push(...optionalChoiceErrors(mode, `${path}.completionMode`, modes));
  if (mode === "Indexed") errors.push(...indexedErrors(spec, path));
  else if (mode === undefined || mode === "NonIndexed") {
    errors.push(...unindexedErrors(spec, path));
  }
  if (spec.podFailurePolicy !== undefined)
    errors.push(...failurePolicyErrors(spec, `${path}.podFailurePolicy`));
  if (spec.successPolicy !== undefined)
    errors.push(...successPolicyErrors(spec, `${path}.successPolicy`));
  errors.push(...replacementErrors(spec, `${path}.podReplacementPolicy`));
  errors.push(...templateErrors(spec.template, `${path}.template`));
  return [...errors, ...restartErrors(spec, path)];
}

function managerErrors(manager: string, path: string): FieldError[] {
  const errors = manager
    ? domainPrefixedPath(manager).map(([of, why]) => invalid(path, of, why))
    : [required(path)];
  if (manager.length > managerBytesMax)
    errors.push(tooLong(path, managerBytesMax));
  return errors;
}

const parallelMax = 100_000;
const failedMax = 100_000;
/** Of Jobs with more completions than `many`. */
const many = 100_000;
const fewer = 10_000;

function indexedErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
  const most = (field: string, max: number, more = "") => {
    if (num(spec[field]) <= max) return;
    const why = `must be less than or equal to ${max}${more}`;
    errors.push(invalid(`${path}.${field}`, spec[field], why));
  };
  if (completions === undefined) {
    const why = "when completion mode is Indexed";
    errors.push(required(`${path}.completions`, why));
  }
  most("parallelism", parallelMax, " when completion mode is Indexed");
  if (completions !== undefined && num(failed) > num(completions)) {
    const why = "must be less than or equal to completions";
    errors.push(invalid(`${path}.maxFailedIndexes`, failed, why));
  }
  most("maxFailedIndexes", failedMax);
  if (num(completions) <= many || spec.backoffLimitPerIndex === undefined)
    return errors;
  if (failed === undefined) {
    const why = `must be specified when completions is above ${many}`;
    errors.push(required(`${path}.maxFailedIndexes`, why));
  }
  const when = ` when completions are above ${many} and used with backoff limit per index`;
  if (parallelism !== undefined) most("parallelism", fewer, when);
  most("maxFailedIndexes", fewer, when);
  return errors;
}

function unindexedErrors(spec: JsonObject, path: string): FieldError[] {
  return ["backoffLimitPerIndex", "maxFailedIndexes"]
    .filter((field) => spec[field] !== undefined)
    .map((field) =>
      invalid(
        `${path}.${field}`,
        spec[field],
        "requires indexed completion mode",
      ),
    );
}

function replacementErrors(spec: JsonObject, path: string): FieldError[] {
  const known =
    spec.podFailurePolicy === undefined
      ? ["Failed", "TerminatingOrFailed"]
      : ["Failed"];
  return optionalChoiceErrors(spec.podReplacementPolicy, path, known);
}

function restartErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = str(at(spec, "template", "spec", "restartPolicy"));
  const here = `${path}.template.spec.restartPolicy`;
  if (policy === "Always" || policy === "") {
    return [required(here, 'valid values: "OnFailure", "Never"')];
  }
  const known = ["OnFailure", "Never"];
  if (!known.includes(policy)) return [notSupported(here, policy, known)];
  if (policy === "OnFailure" && spec.podFailurePolicy !== undefined) {
    const rule = 'only "Never" is supported when podFailurePolicy is specified';
    return [invalid(here, policy, rule)];
  }
  return [];
}
