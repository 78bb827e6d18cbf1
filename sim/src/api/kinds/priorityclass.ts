/**
 * PriorityClass: a name for how much a Pod matters.
 * Models: pkg/registry/scheduling/priorityclass/strategy.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { num, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
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
});

function validate(object: Obj): FieldError[] {
  const { name } = object.metadata;
  if (name.startsWith("system-")) {
    const known = ["system-node-critical", "system-cluster-critical"];
    if (known.includes(name)) return [];
    const rule =
      "priority class names with 'system-' prefix are reserved for system use only";
    return [forbidden("metadata.name", rule)];
  }
  if (num(object.value) <= highestUser) return [];
  const rule = `maximum allowed value of a user defined priority is ${highestUser}`;
  return [forbidden("value", rule)];
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
