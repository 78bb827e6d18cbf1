/**
 * A label selector as Go prints it: in the texts of autoscalers and budgets.
 * Models: LabelSelector.String in apimachinery/pkg/apis/meta/v1 @ v1.36
 */
import type { LabelSelectorObject } from "../../api/selector.ts";

/** `&LabelSelector{MatchLabels:map[string]string{a: b,},…}`; `nil` for none. */
export function selectorText(
  selector: LabelSelectorObject | undefined,
): string {
  if (!selector) return "nil";
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const rules = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${rules.join("")}},}`;
}
