/**
 * What constraints on how Pods are spread may say.
 * Models: validateTopologySpreadConstraints of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import type { JsonObject } from "../types.ts";
import { at, num, str } from "./access.ts";
import { labelKeyErrors } from "./label-key-validation.ts";
import { optionalChoiceErrors, selectorErrors } from "./shared-validation.ts";

const inclusion = ["Honor", "Ignore"];
const spreads = ["DoNotSchedule", "ScheduleAnyway"];

export function spreadErrors(
  constraints: readonly JsonObject[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const pairOf = ({ topologyKey: key, whenUnsatisfiable: when }: JsonObject) =>
    `{${str(key)}, ${str(when)}}`;
  for (const [i, constraint] of constraints.entries()) {
    const here = `${path}[${i}]`;
    const skew = num(constraint.maxSkew);
    const key = str(constraint.topologyKey);
    const when = str(constraint.whenUnsatisfiable);
    const pair = pairOf(constraint);
    if (skew <= 0)
      errors.push(
        invalid(`${here}.maxSkew`, skew, "must be greater than zero"),
      );
    if (!key) errors.push(required(`${here}.topologyKey`, "can not be empty"));
    if (!spreads.includes(when)) {
      errors.push(notSupported(`${here}.whenUnsatisfiable`, when, spreads));
    }
    if (constraints.slice(i + 1).some((other) => pairOf(other) === pair)) {
      errors.push(duplicate(`${here}.{topologyKey, whenUnsatisfiable}`, pair));
    }
    const domains = at(constraint, "minDomains");
    if (domains !== undefined && num(domains) <= 0) {
      errors.push(
        invalid(`${here}.minDomains`, domains, "must be greater than zero"),
      );
    }
    if (domains !== undefined && when !== "DoNotSchedule") {
      const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
      errors.push(invalid(`${here}.minDomains`, domains, rule));
    }
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
      const path = `${here}.${field}`;
      errors.push(...optionalChoiceErrors(constraint[field], path, inclusion));
    }
    errors.push(
      ...labelKeyErrors(constraint, here),
      ...selectorErrors(constraint.labelSelector, `${here}.labelSelector`),
    );
  }
  return errors;
}
