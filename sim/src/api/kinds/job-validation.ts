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
  const open = mayStillChange(old) ? asBefore(spec, before) : spec.template;
  if (!same(open, before.template)) {
    errors.push(invalid("spec.template", spec.template, "field is immutable"));
  }
  return errors;
}

/** Suspended, and none of its Pods was made from the template as it is. */
function mayStillChange(job: Obj): boolean {
  const status = obj(job.status);
  if (at(job, "spec", "suspend") !== true || num(status.active) > 0) {
    return false;
  }
  if (status.startTime === undefined) return true;
  return list(status.conditions).some(
    ({ type, status: is }) => type === "Suspended" && is === "True",
  );
}

/** The template, with what says where Pods go and what they need as before. */
function asBefore(spec: JsonObject, before: JsonObject): JsonObject {
  const template = obj(spec.template);
  const pod = obj(template.spec);
  const was = obj(at(before, "template", "spec"));
  const { nodeSelector, tolerations, schedulingGates } = was;
  const { labels, annotations } = obj(at(before, "template", "metadata"));
  const asWas = (field: string) => {
    const [now, then] = [list(pod[field]), list(was[field])];
    if (now.length !== then.length) return pod[field];
    const old = (i: number) => then[i]?.resources;
    return was[field] && now.map((one, i) => ({ ...one, resources: old(i) }));
  };
  return {
    ...template,
    metadata: { ...obj(template.metadata), labels, annotations },
    spec: {
      ...pod,
      ...{ nodeSelector, tolerations, schedulingGates },
      affinity: affinityAsBefore(obj(pod.affinity), obj(was.affinity)),
      initContainers: asWas("initContainers"),
      containers: asWas("containers"),
    },
  };
}

/** Only the affinity to Nodes may change. */
function affinityAsBefore(now: JsonObject, was: JsonObject) {
  const affinity = { ...now, nodeAffinity: was.nodeAffinity };
  const any = Object.values(affinity).some((part) => part !== undefined);
  return any ? affinity : undefined;
}
