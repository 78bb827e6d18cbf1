/**
 * Which Pods a quota with scopes counts.
 * Models: pkg/quota/v1/evaluator/core/pods.go (PodMatchesScopeFunc) @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { ResourceQuota } from "../../api/kinds/resourcequota.ts";
import type { ScopedResourceSelectorRequirement } from "../../api/kinds/types/service.ts";

/** All scopes must match; a quota with scopes counts Pods alone. */
export function scopesOf({
  spec,
}: ResourceQuota): readonly ScopedResourceSelectorRequirement[] {
  const plain = (spec.scopes ?? []).map((scopeName) => ({
    scopeName,
    operator: "Exists",
  }));
  return [...plain, ...(spec.scopeSelector?.matchExpressions ?? [])];
}

export function inScopes(
  pod: Pod,
  scopes: readonly ScopedResourceSelectorRequirement[],
): boolean {
  return scopes.every((scope) => matches(pod, scope));
}

function matches(
  { spec, status }: Pod,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  const bestEffort = status?.qosClass === "BestEffort";
  const limited = spec.activeDeadlineSeconds !== undefined;
  const priority = spec.priorityClassName ?? "";
  switch (scopeName) {
    case "Terminating":
      return limited;
    case "NotTerminating":
      return !limited;
    case "BestEffort":
      return bestEffort;
    case "NotBestEffort":
      return !bestEffort;
    case "PriorityClass":
      if (operator === "Exists") return priority !== "";
      if (operator === "DoesNotExist") return priority === "";
      return values.includes(priority) === (operator === "In");
    default:
      return false;
  }
}
