/**
 * PodDisruptionBudget: how many Pods may be away at once, by someone's wish.
 * Models: pkg/registry/policy/poddisruptionbudget/strategy.go, pkg/apis/policy/validation @ v1.36
 */
import { type FieldError, invalid } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { at, num, obj } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import {
  countOrPercentErrors,
  optionalChoiceErrors,
} from "./shared-validation.ts";
import type * as types from "./types/policy.ts";

export type PodDisruptionBudget = types.PodDisruptionBudget;

export const PodDisruptionBudget: Kind<PodDisruptionBudget> =
  defineKind<PodDisruptionBudget>({
    group: "policy",
    kind: "PodDisruptionBudget",
    shortNames: ["pdb"],
    emptyStatus: {
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
    },
    generationOf: ["spec"],
    columns: columns(
      "Name|Min Available|Max Unavailable|Allowed Disruptions#|Age",
    ),
    row: (budget, now) => ({
      cells: [
        budget.metadata.name,
        `${at(budget, "spec", "minAvailable") ?? "N/A"}`,
        `${at(budget, "spec", "maxUnavailable") ?? "N/A"}`,
        num(at(budget, "status", "disruptionsAllowed")),
        age(budget, now),
      ],
    }),
    validate,
  });

function validate(budget: Obj): FieldError[] {
  const spec = obj(budget.spec);
  const {
    minAvailable,
    maxUnavailable,
    unhealthyPodEvictionPolicy: policy,
  } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.push(
      invalid(
        "spec",
        budget.spec,
        "minAvailable and maxUnavailable cannot be both set",
      ),
    );
  }
  errors.push(...countOrPercentErrors(minAvailable, "spec.minAvailable"));
  errors.push(...countOrPercentErrors(maxUnavailable, "spec.maxUnavailable"));
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  const path = "spec.unhealthyPodEvictionPolicy";
  return [...errors, ...optionalChoiceErrors(policy, path, policies)];
}
