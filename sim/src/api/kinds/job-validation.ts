/**
 * What a Job may say, and what may change in it.
 * Models: pkg/apis/batch/validation/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { dns1123Label } from "../names.ts";
import type { Json, JsonObject, Labels } from "../types.ts";
import { at, list, num, obj, same } from "./access.ts";
import type { Obj } from "./definition.ts";
import { internalJson, internalTemplate } from "./internal-json.ts";
import { jobSpecErrors } from "./job-spec-validation.ts";
import { readSelector } from "./shared-validation.ts";
import { unselectedErrors } from "./template-validation.ts";

/** The labels by which a Job knows its Pods, where it selects by itself. */
export const jobMarks = (uid: string, name: string): Labels => ({
  "controller-uid": uid,
  "job-name": name,
  "batch.kubernetes.io/controller-uid": uid,
  "batch.kubernetes.io/job-name": name,
});

export function jobErrors(job: Obj): FieldError[] {
  const spec = obj(job.spec);
  const errors =
    spec.manualSelector === true || spec.selector === undefined
      ? []
      : markErrors(job, spec);
  errors.push(...specErrors(spec));
  const { completionMode, completions } = spec;
  if (completionMode === "Indexed" && num(completions) > 0) {
    const host = `${job.metadata.name}-${num(completions) - 1}`;
    if (dns1123Label(host).length > 0) {
      const why = `will not able to create pod with invalid DNS label: ${host}`;
      errors.push(invalid("metadata.name", job.metadata.name, why));
    }
  }
  return errors;
}

/** What the author said must not stand against what the server adds. */
function markErrors(job: Obj, spec: JsonObject): FieldError[] {
  const { uid = "", name } = job.metadata;
  const marks = jobMarks(uid, name);
  const labels = obj(at(spec, "template", "metadata", "labels"));
  const errors = Object.entries(marks)
    .filter(([key, value]) => labels[key] !== value)
    .map(([key, value]) => {
      const path = `spec.template.metadata.labels[${key}]`;
      return invalid(path, labels, `must be '${value}'`);
    });
  const wanted = readSelector(spec.selector);
  if (wanted && !wanted.matches(marks)) {
    const why = "`selector` not auto-generated";
    errors.push(invalid("spec.selector", spec.selector, why));
  }
  return errors;
}

function specErrors(spec: JsonObject): FieldError[] {
  const errors = jobSpecErrors(spec, "spec");
  if (spec.selector === undefined) errors.push(required("spec.selector"));
  return [...errors, ...unselectedErrors(spec)];
}

const fixed = [
  ...["completionMode", "podFailurePolicy", "backoffLimitPerIndex"],
  ...["managedBy", "successPolicy"],
];
const unchanging = "field is immutable";

/** Upstream looks at the spec once more, and says it twice. */
export function jobChange(job: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(job.spec), obj(old.spec)];
  const errors = [...specErrors(spec), ...completionErrors(spec, before)];
  if (!same(spec.selector, before.selector)) {
    errors.push(invalid("spec.selector", spec.selector ?? null, unchanging));
  }
  const open = mayStillChange(old) ? asBefore(spec, before) : spec.template;
  if (!same(open, before.template)) {
    const shown = internalTemplate(obj(spec.template));
    errors.push(invalid("spec.template", shown, unchanging));
  }
  for (const field of fixed) {
    if (same(spec[field], before[field])) continue;
    errors.push(invalid(`spec.${field}`, shownPolicy(spec, field), unchanging));
  }
  return errors;
}

function completionErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const { completions, completionMode, parallelism } = spec;
  if (same(completions, before.completions)) return [];
  const path = "spec.completions";
  if (completionMode !== "Indexed")
    return [invalid(path, completions ?? null, unchanging)];
  if (completions === undefined || num(completions) === num(parallelism))
    return [];
  const why = "can only be modified in tandem with spec.parallelism";
  return [invalid(path, completions, why)];
}

/** Policies are structs of upstream's inside. */
function shownPolicy(spec: JsonObject, field: string): Json {
  const value = spec[field];
  if (value === undefined) return null;
  if (!field.endsWith("Policy")) return value;
  const struct = field.charAt(0).toUpperCase() + field.slice(1);
  return internalJson(struct, obj(value));
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
