/**
 * Order by a field of the objects: `--sort-by=.metadata.creationTimestamp`.
 * Models:     kubectl/pkg/cmd/get/sorter.go @ v1.36
 */
import { compareQuantities, parseQuantity } from "../../api/quantity.ts";
import { CommandError } from "../environment.ts";
import type { Found } from "../find.ts";
import { findAll } from "./jsonpath.ts";

export function sortObjects(
  items: readonly Found[],
  expression: string,
): readonly Found[] {
  const bare = expression.replace(/^\{(.*)\}$/, "$1");
  const path = bare.startsWith(".") ? bare : `.${bare}`;
  const keyed = items.map((item) => {
    return { item, key: findAll(path, item.object)[0] };
  });
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new CommandError(
      `couldn't find any field with path "{${path}}" in the list of objects`,
    );
  }
  return keyed
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ item }) => item);
}

/** What is missing comes first; amounts by their size, texts naturally. */
function compare(a: unknown, b: unknown): number {
  if (a === undefined || a === null)
    return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [String(a), String(b)];
  const [p, q] = [amount(x), amount(y)];
  return p && q ? compareQuantities(p, q) : natural(x, y);
}

function amount(text: string) {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}

/** Digits in a text count as a number: web-2 before web-10. */
function natural(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (const [i, part] of x!.entries()) {
    const other = y![i];
    if (other === undefined) return 1;
    if (part === other) continue;
    const both = /^\d/.test(part) && /^\d/.test(other);
    if (both && Number(part) !== Number(other)) {
      return Number(part) - Number(other);
    }
    return part < other ? -1 : 1;
  }
  return x!.length - y!.length;
}
