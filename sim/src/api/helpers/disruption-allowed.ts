/**
 * The condition DisruptionAllowed of a budget, as its count says: written by
 * the controller, and by the API server when it spends the last disruption.
 * Models: component-helpers/apps/poddisruptionbudget/helpers.go,
 *         SetStatusCondition in apimachinery/pkg/api/meta @ v1.36
 */
import type { PodDisruptionBudgetStatus } from "../kinds/types/policy.ts";
import type { Condition } from "../types.ts";

const TYPE = "DisruptionAllowed";

/** `failure`: why the count is not known; then it is 0. */
export function withDisruptionAllowed(
  status: PodDisruptionBudgetStatus,
  now: string,
  failure?: string,
): PodDisruptionBudgetStatus {
  const { conditions = [], observedGeneration } = status;
  const allowed = (status.disruptionsAllowed ?? 0) > 0;
  const counted = allowed ? "SufficientPods" : "InsufficientPods";
  const old = conditions.find(({ type }) => type === TYPE);
  const is = allowed ? "True" : "False";
  const next: Condition = {
    type: TYPE,
    status: is,
    observedGeneration,
    lastTransitionTime: old?.status === is ? old.lastTransitionTime : now,
    reason: failure === undefined ? counted : "SyncFailed",
    message: failure ?? "",
  };
  const changed = old
    ? conditions.map((one) => (one === old ? next : one))
    : [...conditions, next];
  return { ...status, conditions: changed };
}
