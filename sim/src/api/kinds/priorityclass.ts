/**
 * PriorityClass: a name for how much a Pod matters.
 * Models: pkg/registry/scheduling/priorityclass/strategy.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { num, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { choiceErrors } from "./shared-validation.ts";
import type * as types from "./types/policy.ts";

export type PriorityClass = types.PriorityClass;

const highestUser = 1_000_000_000;

export const PriorityClass: Kind<PriorityClass> = defineKind<PriorityClass>({
  group: "scheduling.k8s.io",
  kind: "PriorityClass",
  namespaced: false,
  shortNames: ["pc"],
  generationOf: [],
  columns: columns("Name|Value#|Global-Default?|Age|PreemptionPolicy"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      num(object.value),
      object.globalDefault === true,
      age(object, now),
      str(object.preemptionPolicy),
    ],
  }),
  validate,
  validateChange,
  updateOrder: ["metaChange", "change"],
});

/** Classes of the system's own, and their values. */
const systemClasses: { readonly [name: string]: number } = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

function validate(object: Obj): FieldError[] {
  const { preemptionPolicy: policy } = object;
  const errors: FieldError[] = [];
  if (object.metadata.name.startsWith("system-")) {
    const why = notOfSystem(object);
    const rule =
      "priority class names with 'system-' prefix are reserved for system use only";
    if (why) errors.push(forbidden("metadata.name", `${rule}. error: ${why}`));
  } else if (num(object.value) > highestUser) {
    const rule = `maximum allowed value of a user defined priority is ${highestUser}`;
    errors.push(forbidden("value", rule));
  }
  const policies = ["PreemptLowerPriority", "Never"];
  return policy === undefined
    ? errors
    : [...errors, ...choiceErrors(policy, "preemptionPolicy", policies)];
}

function notOfSystem({ metadata, value, globalDefault }: Obj): string {
  const { name } = metadata;
  const own = systemClasses[name];
  if (own === undefined) return `${name} is not a known system priority class`;
  if (num(value) !== own)
    return `value of ${name} PriorityClass must be ${own}`;
  return globalDefault
    ? `globalDefault of ${name} PriorityClass must be false`
    : "";
}

function validateChange(object: Obj, old: Obj): FieldError[] {
  const errors: FieldError[] = [];
  if (num(object.value) !== num(old.value)) {
    errors.push(forbidden("value", "may not be changed in an update."));
  }
  if (object.preemptionPolicy !== old.preemptionPolicy) {
    errors.push(
      invalid(
        "preemptionPolicy",
        object.preemptionPolicy,
        "field is immutable",
      ),
    );
  }
  return errors;
}
