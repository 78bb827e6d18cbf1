/**
 * PodDisruptionBudget: how many Pods may be away at once, by someone's wish.
 * Models: pkg/registry/policy/poddisruptionbudget/strategy.go, pkg/apis/policy/validation @ v1.36
 */
import { type FieldError, invalid } from "../field-error.ts";
import { pathSegmentName } from "../names.ts";
import { age, columns } from "../table.ts";
import { at, num, obj } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { internalFields } from "./internal-json.ts";
import {
  countOrPercentErrors,
  negativeErrors,
  optionalChoiceErrors,
  over100PercentErrors,
  selectorErrors,
} from "./shared-validation.ts";
import type * as types from "./types/policy.ts";

export type PodDisruptionBudget = types.PodDisruptionBudget;

export const PodDisruptionBudget: Kind<PodDisruptionBudget> =
  defineKind<PodDisruptionBudget>({
    group: "policy",
    kind: "PodDisruptionBudget",
    shortNames: ["pdb"],
    metaBy: "server",
    nameRule: pathSegmentName,
    allowUnconditionalUpdate: false,
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
    updateOrder: ["rules"],
    validateStatusChange: ({ status }) =>
      counts.flatMap((name) =>
        negativeErrors(obj(status)[name], `status.${name}`),
      ),
  });

const counts = [
  ...["disruptionsAllowed", "currentHealthy", "desiredHealthy"],
  "expectedPods",
];

/** Fields of the spec in the order of the internal struct. */
const specFields = [
  ...["minAvailable", "selector", "maxUnavailable"],
  "unhealthyPodEvictionPolicy",
];

function validate(budget: Obj): FieldError[] {
  const spec = obj(budget.spec);
  const {
    minAvailable,
    maxUnavailable,
    unhealthyPodEvictionPolicy: policy,
  } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const rule = "minAvailable and maxUnavailable cannot be both set";
    const shown = internalFields("PodDisruptionBudgetSpec", specFields, spec);
    errors.push(invalid("spec", shown, rule));
  }
  for (const name of ["minAvailable", "maxUnavailable"]) {
    errors.push(
      ...countOrPercentErrors(spec[name], `spec.${name}`),
      ...over100PercentErrors(spec[name], `spec.${name}`),
    );
  }
  errors.push(...selectorErrors(spec.selector, "spec.selector"));
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  const path = "spec.unhealthyPodEvictionPolicy";
  return [...errors, ...optionalChoiceErrors(policy, path, policies)];
}
