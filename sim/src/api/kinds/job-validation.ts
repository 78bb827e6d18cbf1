/**
 * What a Job may say, and what may change in it.
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
import { templateErrors } from "./template-validation.ts";

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

export function jobSpecErrors(spec: JsonObject, path: string): FieldError[] {
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
