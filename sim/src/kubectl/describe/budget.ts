/**
 * kubectl describe poddisruptionbudget.
 * Models:     kubectl/pkg/describe/describe.go
 *             (PodDisruptionBudgetDescriber) @ v1.36
 */
import { num } from "../../api/kinds/access.ts";
import {
  type Describer,
  selectorOf,
  writeEventsOf,
  writeName,
} from "./subject.ts";

export const describeBudget: Describer = async (subject) => {
  const { w, spec, status } = subject;
  writeName(subject);
  const { minAvailable, maxUnavailable, selector } = spec;
  if (minAvailable !== undefined) w.field(0, "Min available", minAvailable);
  else if (maxUnavailable !== undefined)
    w.field(0, "Max unavailable", maxUnavailable);
  w.field(0, "Selector", selector ? selectorOf(subject) : "<unset>");
  w.line(0, "Status:");
  for (const [title, field] of [
    ["Allowed disruptions", "disruptionsAllowed"],
    ["Current", "currentHealthy"],
    ["Desired", "desiredHealthy"],
    ["Total", "expectedPods"],
  ] as const) {
    w.field(2, title, num(status[field]));
  }
  await writeEventsOf(subject);
};
