/**
 * Which Pods a quota with scopes counts.
 * Models: PodMatchesScopeFunc of pkg/quota/v1/evaluator/core/pods.go @ v1.36
 */
import { at, list, obj, str, strings } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { JsonObject } from "../../../api/types.ts";
import { specOf } from "../limits/amounts.ts";

/** True if the quota counts the object; quotas with scopes count Pods alone. */
export function inScope(quota: Obj, object: Obj, isPod: boolean): boolean {
  const spec = specOf(quota);
  const wanted: JsonObject[] = [
    ...strings(spec.scopes).map((scopeName) => ({
      scopeName,
      operator: "Exists",
    })),
    ...list(at(spec, "scopeSelector", "matchExpressions")),
  ];
  if (wanted.length === 0) return true;
  return isPod && wanted.every((one) => podMatches(object, one));
}

function podMatches(pod: Obj, one: JsonObject): boolean {
  const spec = specOf(pod);
  const deadline = spec.activeDeadlineSeconds !== undefined;
  const bestEffort = str(obj(pod.status).qosClass) === "BestEffort";
  switch (one.scopeName) {
    case "Terminating":
      return deadline;
    case "NotTerminating":
      return !deadline;
    case "BestEffort":
      return bestEffort;
    case "NotBestEffort":
      return !bestEffort;
    case "PriorityClass":
      return classMatches(str(spec.priorityClassName), one);
    case "CrossNamespacePodAffinity":
      return crossesNamespaces(spec);
    default:
      return false;
  }
}

function classMatches(name: string, { operator, values }: JsonObject): boolean {
  const named = strings(values);
  switch (operator) {
    case "Exists":
      return name !== "";
    case "DoesNotExist":
      return name === "";
    case "In":
      return named.includes(name);
    default:
      return !named.includes(name);
  }
}

function crossesNamespaces(spec: JsonObject): boolean {
  const text = JSON.stringify(spec.affinity ?? {});
  return /"(namespaces|namespaceSelector)":/.test(text);
}
