/**
 * What Jobs and CronJobs may say, and what may change in them.
 * Models: pkg/apis/batch/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject, Labels } from "../types.ts";
import { at, list, num, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import {
  negativeErrors,
  readSelector,
  selectorErrors,
} from "./shared-validation.ts";
import { templateErrors } from "./workload-validation.ts";

const indexedMax = 100_000;

export function jobErrors(job: Obj): FieldError[] {
  const spec = obj(job.spec);
  const errors = jobSpecErrors(spec, "spec");
  if (spec.selector === undefined)
    return [...errors, required("spec.selector")];
  errors.push(...selectorErrors(spec.selector, "spec.selector"));
  const labels = obj(at(spec, "template", "metadata", "labels")) as Labels;
  const wanted = readSelector(spec.selector);
  if (wanted && !wanted.matches(labels)) {
    const rule = "`selector` does not match template `labels`";
    errors.push(invalid("spec.template.metadata.labels", labels, rule));
  }
  return errors;
}

const counts = [
  ...["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit"],
  ...["ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"],
];

function jobSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = counts.flatMap((count) =>
    negativeErrors(spec[count], `${path}.${count}`),
  );
  const { completionMode: mode, completions } = spec;
  const indexed = mode === "Indexed";
  const modes = ["NonIndexed", "Indexed"];
  if (mode !== undefined && !modes.includes(str(mode))) {
    errors.push(notSupported(`${path}.completionMode`, mode, modes));
  }
  if (indexed && completions === undefined) {
    const rule = "when completion mode is Indexed";
    errors.push(required(`${path}.completions`, rule));
  }
  if (indexed && num(spec.parallelism) > indexedMax) {
    const rule = `must be less than or equal to ${indexedMax} when completion mode is Indexed`;
    errors.push(invalid(`${path}.parallelism`, spec.parallelism, rule));
  }
  if (!indexed) {
    for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"]) {
      if (spec[field] === undefined) continue;
      const rule = "requires indexed completion mode";
      errors.push(invalid(`${path}.${field}`, spec[field], rule));
    }
  }
  errors.push(...templateErrors(spec.template, `${path}.template`));
  return [...errors, ...restartErrors(spec, path), ...policyErrors(spec, path)];
}

function restartErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = str(at(spec, "template", "spec", "restartPolicy"));
  const here = `${path}.template.spec.restartPolicy`;
  if (policy === "Always") {
    return [required(here, 'valid values: "OnFailure", "Never"')];
  }
  if (policy === "OnFailure" && spec.podFailurePolicy !== undefined) {
    const rule = 'only "Never" is supported when podFailurePolicy is specified';
    return [invalid(here, policy, rule)];
  }
  return [];
}

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

function policyErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, rule] of list(
    at(spec, "podFailurePolicy", "rules"),
  ).entries()) {
    const here = `${path}.podFailurePolicy.rules[${i}]`;
    const action = str(rule.action);
    if (!action) {
      errors.push(
        required(`${here}.action`, `valid values: ${quoted(actions)}`),
      );
    } else if (!actions.includes(action)) {
      errors.push(notSupported(`${here}.action`, action, actions));
    }
    const { onExitCodes: codes, onPodConditions: conditions } = rule;
    if (codes !== undefined && list(conditions).length > 0) {
      const text =
        "specifying both OnExitCodes and OnPodConditions is not supported";
      errors.push(invalid(here, null, text));
    }
    if (codes === undefined && list(conditions).length === 0) {
      const text =
        "specifying one of OnExitCodes and OnPodConditions is required";
      errors.push(invalid(here, null, text));
    }
  }
  return errors;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(", ");
}

const fixed = [
  "selector",
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
];

export function jobChange(job: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(job.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  const grows =
    spec.completionMode === "Indexed" &&
    spec.completions !== undefined &&
    num(spec.completions) === num(spec.parallelism);
  if (!same(spec.completions, before.completions) && !grows) {
    const rule = "field is immutable";
    errors.push(invalid("spec.completions", spec.completions ?? null, rule));
  }
  for (const field of [...fixed, "managedBy", "successPolicy"]) {
    if (same(spec[field], before[field])) continue;
    errors.push(
      invalid(`spec.${field}`, spec[field] ?? null, "field is immutable"),
    );
  }
  if (!same(directives(spec, before), before.template)) {
    errors.push(invalid("spec.template", spec.template, "field is immutable"));
  }
  return errors;
}

/** A Job that never ran may still be told where its Pods go. */
function directives(spec: JsonObject, before: JsonObject): unknown {
  if (before.suspend !== true) return spec.template;
  const [now, was] = [
    obj(at(spec, "template", "spec")),
    obj(at(before, "template", "spec")),
  ];
  const open = ["nodeSelector", "affinity", "tolerations", "schedulingGates"];
  const next = { ...now };
  for (const field of open) next[field] = was[field];
  const template = obj(spec.template);
  const meta = { ...obj(template.metadata) };
  const wasMeta = obj(at(before, "template", "metadata"));
  for (const field of ["labels", "annotations"]) meta[field] = wasMeta[field];
  return { ...template, metadata: meta, spec: next };
}

const concurrency = ["Allow", "Forbid", "Replace"];

export function cronJobErrors(job: Obj): FieldError[] {
  const spec = obj(job.spec);
  const errors: FieldError[] = [];
  const schedule = str(spec.schedule);
  if (!schedule) errors.push(required("spec.schedule"));
  else errors.push(...scheduleErrors(schedule));
  errors.push(
    ...negativeErrors(
      spec.startingDeadlineSeconds,
      "spec.startingDeadlineSeconds",
    ),
  );
  if (!concurrency.includes(str(spec.concurrencyPolicy))) {
    const policy = str(spec.concurrencyPolicy);
    errors.push(notSupported("spec.concurrencyPolicy", policy, concurrency));
  }
  for (const field of [
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
  ]) {
    errors.push(...negativeErrors(spec[field], `spec.${field}`));
  }
  errors.push(
    ...jobSpecErrors(
      obj(at(spec, "jobTemplate", "spec")),
      "spec.jobTemplate.spec",
    ),
  );
  // Its Jobs get eleven more characters.
  if (job.metadata.name.length > 52) {
    const rule = "must be no more than 52 characters";
    errors.push(invalid("metadata.name", job.metadata.name, rule));
  }
  const { timeZone } = spec;
  if (timeZone === "") {
    errors.push(
      invalid("spec.timeZone", "", "timeZone must be nil or non-empty string"),
    );
  }
  return errors;
}

function scheduleErrors(schedule: string): FieldError[] {
  const path = "spec.schedule";
  if (/^\s*(CRON_)?TZ=/.test(schedule)) {
    const rule =
      "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    return [invalid(path, schedule, rule)];
  }
  if (schedule.startsWith("@")) {
    const known =
      /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$|^@every \d+/;
    if (known.test(schedule)) return [];
    return [invalid(path, schedule, `unrecognized descriptor: ${schedule}`)];
  }
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== 5) {
    const listed = `[${fields.join(" ")}]`;
    const rule = `expected exactly 5 fields, found ${fields.length}: ${listed}`;
    return [invalid(path, schedule, rule)];
  }
  return [];
}
