/**
 * Cells that several kinds show.
 * Models: pkg/printers/internalversion/printers.go @ v1.36
 */
import type { LabelSelectorObject } from "../selector.ts";
import { labelSelector, labelSelectorText } from "../selector.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, str } from "./access.ts";

/** `a=b,c=d` in order of the keys. */
export function labelsText(labels: unknown): string {
  const pairs = Object.entries(map(labels)).map(
    ([key, value]) => `${key}=${value}`,
  );
  return pairs.toSorted().join(",") || "<none>";
}

/** A selector as text; `<none>` if it has no condition. */
export function selectorText(selector: unknown): string {
  return labelSelectorText(selector as LabelSelectorObject | undefined);
}

/** The same as a Deployment's row has it: empty if it has no condition. */
export function bareSelectorText(selector: unknown): string {
  const text = selectorText(selector);
  if (text === "<error>") return "<invalid>";
  return labelSelector(selector as LabelSelectorObject | undefined).toString();
}

/** Names and images of a template's containers. */
export function containerCells(template: unknown): [string, string] {
  const containers = list(at(template, "spec", "containers"));
  return [join(containers, "name"), join(containers, "image")];
}

function join(items: readonly JsonObject[], field: string): string {
  return items.map((item) => str(item[field])).join(",");
}

/** RWO, ROX, RWX, RWOP, in upstream's order. */
export function accessModesText(modes: unknown): string {
  const short = [
    ["ReadWriteOnce", "RWO"],
    ["ReadOnlyMany", "ROX"],
    ["ReadWriteMany", "RWX"],
    ["ReadWriteOncePod", "RWOP"],
  ] as const;
  const given = Array.isArray(modes) ? modes : [];
  return short
    .flatMap(([mode, text]) => (given.includes(mode) ? [text] : []))
    .join(",");
}

/** The value of an optional boolean as upstream prints it. */
export function boolText(value: unknown): string {
  return value === undefined ? "<unset>" : value ? "True" : "False";
}
