/**
 * What a quota of CPU or memory asks of every container: that it says how
 * much it needs. "It was a mistake", upstream says, and keeps it.
 * Models: podEvaluator.Constraints of pkg/quota/v1/evaluator/core/pods.go
 *         @ v1.36
 */
import { hasPodLevelResources } from "../../../api/helpers/pod-quantities.ts";
import { list, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { JsonObject } from "../../../api/types.ts";
import { specOf } from "../limits/amounts.ts";

/** Amounts that a quota counts and that a container does not say. */
export function unsaid(pod: Obj, hard: readonly string[]): string[] {
  const spec = specOf(pod);
  // A Pod that says it as a whole has said enough.
  if (hasPodLevelResources(spec as never)) return [];
  const all = [...list(spec.initContainers), ...list(spec.containers)];
  return hard.flatMap((constraint) => {
    const [kind, name] = amountNamed(constraint);
    if (!kind) return [];
    const silent = all.filter((container) => {
      const { [kind]: said } = obj(container.resources) as Record<
        string,
        JsonObject
      >;
      return said?.[name] === undefined;
    });
    const names = silent.map((container) => str(container.name)).sort();
    return names.length > 0 ? [`${constraint} for: ${names.join(",")}`] : [];
  });
}

function amountNamed(constraint: string): ["requests" | "limits" | "", string] {
  if (constraint === "cpu" || constraint === "memory") {
    return ["requests", constraint];
  }
  const [, kind, name] =
    /^(requests|limits)\.(cpu|memory)$/.exec(constraint) ?? [];
  return [(kind as "requests") ?? "", name ?? ""];
}
