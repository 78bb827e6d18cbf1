/**
 * Finds what turns one list into another under a strategic merge patch.
 * Models:     strategicpatch/patch.go, diffLists and below @ v1.36
 */
import { goValue } from "../go-text.ts";
import type { Json, JsonObject } from "../types.ts";
import { directive, mergeKeyOf, objectOf } from "./directives.ts";
import {
  distinct,
  holdsObjects,
  insertionSort,
  itemType,
  sortedBy,
} from "./lists.ts";
import { jsonEqual } from "./value.ts";

/** Which differences to look for, and whether to tell the lists' order. */
export interface DiffOptions {
  readonly changes: boolean;
  readonly deletions: boolean;
  readonly order: boolean;
}

interface ListDiff {
  readonly changes: readonly Json[];
  readonly deletions: readonly Json[];
  readonly order: readonly Json[];
}

type DiffItem = (a: JsonObject, b: JsonObject) => JsonObject;

/** `mergeKey` is "" for a list of plain values. Throws PatchError. */
export function diffList(
  original: readonly Json[],
  modified: readonly Json[],
  mergeKey: string,
  options: DiffOptions,
  diffItem: DiffItem,
): ListDiff {
  if (original.length === 0) {
    const changes = options.changes ? modified : [];
    return { changes, deletions: [], order: [] };
  }
  if (!holdsObjects(itemType(original, modified))) {
    return diffPlainLists(original, modified, options);
  }
  const key = (item: Json | undefined) => mergeKeyOf(item, mergeKey);
  const changed: Json[] = [];
  const deleted: Json[] = [];
  inPairs(original, modified, mergeKey, (a, b) => {
    if (a && b) {
      const inner = diffItem(a, b);
      if (Object.keys(inner).length === 0) return;
      changed.push({ ...inner, [mergeKey]: key(b) });
    } else if (b) {
      if (options.changes) changed.push(b);
    } else if (a && options.deletions) {
      deleted.push({ [mergeKey]: key(a), [directive]: "delete" });
    }
  });
  const changes = [...sortedBy(changed, modified, mergeKey), ...deleted];
  const sameOrder =
    original.length === modified.length &&
    modified.every((item, i) => key(item) === key(original[i]));
  const differs = changes.length > 0;
  const tells = options.changes
    ? differs || !sameOrder
    : options.deletions && differs;
  const order = options.order && tells ? modified : [];
  return {
    changes,
    deletions: [],
    order: order.map((item) => ({ [mergeKey]: key(item) })),
  };
}

/** Walks both lists in the order of their merge keys' texts. */
function inPairs(
  original: readonly Json[],
  modified: readonly Json[],
  mergeKey: string,
  visit: (a: JsonObject | undefined, b: JsonObject | undefined) => void,
): void {
  const key = (item: Json) => goValue(mergeKeyOf(item, mergeKey));
  const left = sortedByText(original.map(objectOf), (item) =>
    goValue(item[mergeKey]),
  );
  const right = sortedByText(modified.map(objectOf), (item) =>
    goValue(item[mergeKey]),
  );
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const a = left[i];
    const b = right[j];
    const order = !a ? 1 : !b ? -1 : compareText(key(a), key(b));
    if (order === 0) visit(left[i++], right[j++]);
    else if (order > 0) visit(undefined, right[j++]);
    else visit(left[i++], undefined);
  }
}

function diffPlainLists(
  original: readonly Json[],
  modified: readonly Json[],
  options: DiffOptions,
): ListDiff {
  const left = sortedByText(original, goValue);
  const right = sortedByText(modified, goValue);
  const added: Json[] = [];
  const removed: Json[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const inBounds = i < left.length && j < right.length;
    const order = inBounds
      ? compareText(goValue(left[i]), goValue(right[j]))
      : i < left.length
        ? -1
        : 1;
    if (order === 0) {
      i++;
      j++;
    } else if (order < 0) removed.push(left[i++]);
    else added.push(right[j++]);
  }
  const changes = options.changes ? sortedBy(added, modified, "") : [];
  const deletions = options.deletions ? distinct(removed) : [];
  // Upstream has sorted the original in place by now.
  const tellsOrder =
    options.order &&
    (deletions.length > 0 || (options.changes && !jsonEqual(left, modified)));
  return { changes, deletions, order: tellsOrder ? modified : [] };
}

/** Go's sort of short lists, where equal texts count as less. */
function sortedByText<T>(items: readonly T[], text: (item: T) => string): T[] {
  return insertionSort(items, (a, b) => text(a) <= text(b));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
