/**
 * Selectors of labels and fields.
 * Models:     apimachinery/pkg/labels, pkg/fields @ v1.36
 */
export type { FieldSelector, FieldTerm } from "./selector/fields.ts";
export { parseFieldSelector } from "./selector/fields.ts";
export type { LabelSelector, LabelSelectorObject } from "./selector/labels.ts";
export {
  everything,
  labelSelector,
  labelSelectorText,
  nothing,
  parseLabelSelector,
  selectorFor,
  setSelector,
} from "./selector/labels.ts";
export type { Operator, Requirement } from "./selector/requirement.ts";
export { SelectorError } from "./selector/requirement.ts";
