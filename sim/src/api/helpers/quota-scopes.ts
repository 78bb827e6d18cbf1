/**
 * Which Pods a quota with scopes counts. The API server and the controller
 * must count alike, so both ask here.
 * Models: podMatchesScopeFunc of pkg/quota/v1/evaluator/core/pods.go @ v1.36
 */
import type { Pod, PodSpec } from "../kinds/pod.ts";
import type {
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../kinds/types/service.ts";

type Scope = ScopedResourceSelectorRequirement;

/** All scopes must match; a quota with scopes counts Pods alone. */
export function scopesOf(spec: ResourceQuotaSpec): readonly Scope[] {
  const plain = (spec.scopes ?? []).map((scopeName) => ({
    scopeName,
    operator: "Exists",
  }));
  return [...plain, ...(spec.scopeSelector?.matchExpressions ?? [])];
}

export function inScopes(pod: Pod, scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => matches(pod, scope));
}

function matches({ spec, status }: Pod, scope: Scope): boolean {
  const bestEffort = status?.qosClass === "BestEffort";
  const limited = spec.activeDeadlineSeconds !== undefined;
  switch (scope.scopeName) {
    case "Terminating":
      return limited;
    case "NotTerminating":
      return !limited;
    case "BestEffort":
      return bestEffort;
    case "NotBestEffort":
      return !bestEffort;
    case "PriorityClass":
      return classMatches(spec.priorityClassName ?? "", scope);
    case "CrossNamespacePodAffinity":
      return crossesNamespaces(spec);
    default:
      return false;
  }
}

function classMatches(name: string, { operator, values = [] }: Scope): boolean {
  if (operator === "Exists") return name !== "";
  if (operator === "DoesNotExist") return name === "";
  return values.includes(name) === (operator === "In");
}

/** Has it a term of Pod affinity that looks at other namespaces? */
function crossesNamespaces({ affinity }: PodSpec): boolean {
  const { podAffinity, podAntiAffinity } = affinity ?? {};
  return [podAffinity, podAntiAffinity].some((rules) => {
    const required = rules?.requiredDuringSchedulingIgnoredDuringExecution;
    const preferred = rules?.preferredDuringSchedulingIgnoredDuringExecution;
    const terms = [
      ...(required ?? []),
      ...(preferred ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    return terms.some(
      ({ namespaces, namespaceSelector }) =>
        (namespaces?.length ?? 0) > 0 || namespaceSelector !== undefined,
    );
  });
}
