/**
 * Which victims would violate a PodDisruptionBudget? Preemption asks, but a
 * budget does not forbid it: such victims are only the last choice.
 * Models: filterPodsWithPDBViolation in pkg/scheduler/framework/plugins/
 *         defaultpreemption @ v1.36
 */
import type { PodDisruptionBudget } from "../api/kinds/poddisruptionbudget.ts";
import { labelSelector, SelectorError } from "../api/selector.ts";
import type { PodInfo } from "./cache/pod-info.ts";

/** Counts each budget down; the Pods beyond it would violate it. */
export function splitByBudget(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { violating: PodInfo[]; others: PodInfo[] } {
  const rules = budgets.map((budget) => ({
    covers: coverage(budget),
    left: budget.status?.disruptionsAllowed ?? 0,
  }));
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let violates = false;
    for (const rule of rules) {
      if (!rule.covers(pod)) continue;
      rule.left--;
      if (rule.left < 0) violates = true;
    }
    (violates ? violating : others).push(pod);
  }
  return { violating, others };
}

/** Does the budget count this Pod, and is it not evicted already? */
function coverage(budget: PodDisruptionBudget): (pod: PodInfo) => boolean {
  const { namespace } = budget.metadata;
  const disrupted = budget.status?.disruptedPods ?? {};
  try {
    const selector = labelSelector(budget.spec?.selector);
    if (selector.empty) return () => false;
    return ({ pod, namespace: own }) =>
      own === namespace &&
      selector.matches(pod.metadata.labels) &&
      !(pod.metadata.name in disrupted);
  } catch (error) {
    if (error instanceof SelectorError) return () => false;
    throw error;
  }
}
