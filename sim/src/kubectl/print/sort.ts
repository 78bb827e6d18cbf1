/**
 * Order by a field of the objects: `--sort-by=.metadata.creationTimestamp`.
 * Models:     kubectl/pkg/cmd/get/sorter.go @ v1.36
 */
import { goTypeOf } from "../../api/go-text.ts";
import { compareQuantities, parseQuantity } from "../../api/quantity.ts";
import { CommandError, PlainError } from "../environment.ts";
import type { Found } from "../find.ts";
import { goSort } from "./go-sort.ts";
import { finderOf, relaxed } from "./jsonpath.ts";

interface Keyed {
  readonly item: Found;
  readonly key: unknown;
}

/** The same of rows of a table: one alone is not looked at. */
export function sortRows(
  items: readonly Found[],
  expression: string,
): readonly Found[] {
  return items.length > 1 ? sortBy(items, lenient(expression)) : items;
}

export function sortObjects(
  items: readonly Found[],
  expression: string,
): readonly Found[] {
  return items.length === 0 ? items : sortBy(items, relaxed(expression));
}

/** What is no path at all is taken as it is: as a text in all the rows. */
function lenient(expression: string): string {
  try {
    return relaxed(expression);
  } catch {
    return expression;
  }
}

export function noSuchField(expression: string): CommandError {
  const path = lenient(expression);
  return new CommandError(
    `couldn't find any field with path "${path}" in the list of objects`,
  );
}

function sortBy(items: readonly Found[], path: string): readonly Found[] {
  const find = finderOf(path);
  const keyed = items.map((item): Keyed => {
    const [found] = find(item.object);
    return { item, key: found?.[0] };
  });
  if (items.length > 0 && keyed.every(({ key }) => key === undefined))
    throw noSuchField(path);
  return goSort(keyed, less(path)).map(({ item }) => item);
}

/** What is missing counts as less than anything, itself too. */
function less(path: string) {
  return (a: Keyed, b: Keyed): boolean => {
    if (a.key === undefined) return true;
    if (b.key === undefined) return false;
    return isLess(a.key, b.key, path);
  };
}

function isLess(a: unknown, b: unknown, path: string): boolean {
  if (a === null || b === null) return a === null && b !== null;
  if (typeof a === "number" && typeof b === "number") return a < b;
  if (typeof a === "string" && typeof b === "string") {
    const [p, q] = [amount(a), amount(b)];
    return p && q ? compareQuantities(p, q) < 0 : a < b;
  }
  const isText = typeof a === "string" || typeof a === "number";
  const why = isText
    ? "unsortable interface: interface"
    : `unsortable type: ${goTypeOf(a)}`;
  // Upstream ends at once, with a line of its log.
  throw new PlainError(
    `Field ${path} in [][][]reflect.Value is an unsortable type: interface, err: ${why}`,
  );
}

function amount(text: string) {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}
