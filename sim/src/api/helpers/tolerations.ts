/**
 * Taints and tolerations: which Pods a tainted Node lets in.
 * Models:     api/core/v1/toleration.go, component-helpers/scheduling/corev1/
 *             helpers.go @ v1.36
 * Leaves out: nothing. The operators Gt and Lt are behind a gate that is off.
 */
import type { Taint } from "../kinds/node.ts";
import type { Toleration } from "../kinds/pod.ts";

/** The taint of a cordoned Node. */
export const TAINT_UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

/** True if `toleration` covers `taint`. An empty key or effect covers any. */
export function toleratesTaint(
  toleration: Toleration,
  taint: Taint,
  comparisonOperators = false,
): boolean {
  const { key, operator, value, effect } = toleration;
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  switch (operator || "Equal") {
    case "Equal":
      return (value ?? "") === (taint.value ?? "");
    case "Exists":
      return true;
    case "Gt":
    case "Lt":
      return comparisonOperators && compares(operator, value, taint.value);
    default:
      return false;
  }
}

/** True if any of `tolerations` covers `taint`. */
export function tolerationsTolerate(
  tolerations: readonly Toleration[] | undefined,
  taint: Taint,
): boolean {
  if (!tolerations) return false;
  for (const toleration of tolerations) {
    if (toleratesTaint(toleration, taint)) return true;
  }
  return false;
}

/** The first taint that passes `applies` and is not tolerated. */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  applies: (taint: Taint) => boolean,
): Taint | undefined {
  if (!taints) return undefined;
  for (const taint of taints) {
    if (applies(taint) && !tolerationsTolerate(tolerations, taint)) {
      return taint;
    }
  }
  return undefined;
}

/** The taints that keep a new Pod away: NoSchedule and NoExecute. */
export function keepsPodsAway(taint: Taint): boolean {
  return taint.effect === "NoSchedule" || taint.effect === "NoExecute";
}

const decimalInteger = /^(0|-?[1-9][0-9]*)$/;

/** Gt: the taint's number is greater than the toleration's. */
function compares(
  operator: string | undefined,
  tolerationValue = "",
  taintValue = "",
): boolean {
  const bound = int64(tolerationValue);
  const value = int64(taintValue);
  if (bound === undefined || value === undefined) return false;
  return operator === "Gt" ? value > bound : value < bound;
}

function int64(text: string): bigint | undefined {
  if (!decimalInteger.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
