/**
 * What may change in a Pod after it was made.
 * Models: ValidatePodUpdate, ValidatePodStatusUpdate in pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, same } from "./access.ts";
import type { Obj } from "./definition.ts";
import { podSpecDiff } from "./pod-spec-diff.ts";

const rule =
  "pod updates may not change fields other than `spec.containers[*].image`," +
  "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` " +
  "(only additions to existing tolerations),`spec.terminationGracePeriodSeconds` " +
  "(allow it to be set to 1 if it was previously negative)";

export function podChange(pod: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(pod.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  for (const field of ["containers", "initContainers"]) {
    if (list(spec[field]).length !== list(before[field]).length) {
      const kinds = field === "containers" ? "containers" : "initContainers";
      const text = `pod updates may not add or remove ${kinds}`;
      return [...errors, forbidden(`spec.${field}`, text)];
    }
  }
  errors.push(...deadlineErrors(spec, before), ...gateErrors(spec, before));
  if (!addsOnly(spec, before)) {
    const text =
      "existing toleration can not be modified except its tolerationSeconds";
    errors.push(forbidden("spec.tolerations", text));
  }
  const wanted = withOpenFields(spec, before);
  if (!same(wanted, before)) {
    errors.push(forbidden("spec", `${rule}\n${podSpecDiff(before, wanted)}`));
  }
  return errors;
}

/** `spec` with every field that may change set back to what it was. */
function withOpenFields(spec: JsonObject, before: JsonObject): JsonObject {
  const next: { [field: string]: unknown } = { ...spec };
  for (const field of ["containers", "initContainers"]) {
    if (spec[field] === undefined) continue;
    next[field] = list(spec[field]).map((container, i) => {
      const { image } = list(before[field])[i] ?? {};
      return { ...container, image };
    });
  }
  for (const field of [
    "activeDeadlineSeconds",
    "tolerations",
    "schedulingGates",
  ]) {
    next[field] = before[field];
  }
  if (before.schedulingGates !== undefined) {
    for (const field of ["nodeSelector", "affinity"])
      next[field] = before[field];
  }
  const grace = before.terminationGracePeriodSeconds;
  if (
    typeof grace === "number" &&
    grace < 0 &&
    spec.terminationGracePeriodSeconds === 1
  ) {
    next.terminationGracePeriodSeconds = grace;
  }
  const kept = Object.entries(next).filter(([, value]) => value !== undefined);
  return obj(Object.fromEntries(kept));
}

function deadlineErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [next, last] = [
    spec.activeDeadlineSeconds,
    before.activeDeadlineSeconds,
  ];
  const path = "spec.activeDeadlineSeconds";
  if (typeof last !== "number") return [];
  if (next === undefined) {
    const text = "must not update from a positive integer to nil value";
    return [invalid(path, null, text)];
  }
  if (typeof next !== "number" || next <= last) return [];
  return [invalid(path, next, `must be less than or equal to previous value`)];
}

/** Gates can only be opened. */
function gateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const had = new Set(list(before.schedulingGates).map((gate) => gate.name));
  return list(spec.schedulingGates).flatMap(({ name }, i) => {
    if (had.has(name)) return [];
    const text = "only deletion is allowed, but found new scheduling gate";
    const path = `spec.schedulingGates[${i}].name`;
    return [forbidden(path, `${text} '${name}'`)];
  });
}

function addsOnly(spec: JsonObject, before: JsonObject): boolean {
  const key = (toleration: JsonObject) => {
    const { tolerationSeconds: _, ...rest } = toleration;
    return rest;
  };
  const now = list(spec.tolerations).map(key);
  return list(before.tolerations).every((old) =>
    now.some((item) => same(item, key(old))),
  );
}

export function podStatusChange(pod: Obj, old: Obj): FieldError[] {
  const [status, before] = [obj(pod.status), obj(old.status)];
  const { qosClass } = status;
  if (
    before.qosClass !== undefined &&
    qosClass !== undefined &&
    qosClass !== before.qosClass
  ) {
    return [invalid("status.qosClass", qosClass, "field is immutable")];
  }
  return [];
}
