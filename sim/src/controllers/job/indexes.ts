/**
 * Sets of completion indexes, kept as intervals and written as "0-2,5".
 * Models: pkg/controller/job/indexed_job_utils.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import { MAX_GENERATED_NAME, TRACKING_FINALIZER } from "./names.ts";

/** Ordered, without overlap; both ends belong to it. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

export type Indexes = readonly Interval[];

export const INDEX_KEY = "batch.kubernetes.io/job-completion-index";

/**
 * Reads "0-2,5"; what lies beyond `completions` is left out. Only intervals
 * that touch become one: what overlaps or is out of order stays as it stands.
 */
export function parseIndexes(text: string, completions: number): Indexes {
  const result: Interval[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const limits = part.split("-");
    const [first, last = first] = limits.map(wholeNumber);
    if (first === undefined || last === undefined) continue;
    if (limits.length > 1 && limits[1] === "") continue;
    if (first >= completions) break;
    const next = { first, last: Math.min(last, completions - 1) };
    const before = result.at(-1);
    if (before?.last === first - 1) {
      result[result.length - 1] = { ...next, first: before.first };
    } else result.push(next);
  }
  return result;
}

function wholeNumber(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** Neighbours become one interval. */
function joined(intervals: readonly Interval[]): Indexes {
  const result: Interval[] = [];
  for (const { first, last } of intervals) {
    const before = result.at(-1);
    if (before && before.last >= first - 1) {
      result[result.length - 1] = {
        first: before.first,
        last: Math.max(before.last, last),
      };
    } else result.push({ first, last });
  }
  return result;
}

/** `indexes` and `more`. */
export function withIndexes(
  indexes: Indexes,
  more: readonly number[],
): Indexes {
  const added = more.map((index) => ({ first: index, last: index }));
  return union(indexes, added);
}

export function union(a: Indexes, b: Indexes): Indexes {
  return joined([...a, ...b].toSorted((x, y) => x.first - y.first));
}

export function hasIndex(indexes: Indexes, index: number): boolean {
  return indexes.some(({ first, last }) => first <= index && index <= last);
}

export function countIndexes(indexes: Indexes): number {
  return indexes.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function indexesText(indexes: Indexes): string {
  return indexes
    .map(({ first, last }) => {
      if (first >= last) return `${first}`;
      return `${first}${last === first + 1 ? "," : "-"}${last}`;
    })
    .join(",");
}

/** The first `count` indexes that are in none of `taken`. */
export function firstFree(
  taken: Indexes,
  count: number,
  completions: number,
): number[] {
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++) {
    const interval = taken.find(({ last }) => last >= index);
    if (interval && interval.first <= index) index = interval.last;
    else free.push(index);
  }
  return free;
}

/** The completion index of a Pod; -1 if it has none that can be read. */
export function indexOf({ metadata }: Pick<Pod, "metadata">): number {
  const text = metadata.annotations?.[INDEX_KEY];
  const index = text === undefined ? undefined : wholeNumber(text);
  return index === undefined || index < 0 ? -1 : index;
}

// region: succeeded-indexes
/** Indexes that succeeded by now: before, and with the Pods not counted yet. */
export function succeededIndexes(
  completedIndexes: string,
  completions: number,
  pods: readonly Pod[],
): { before: Indexes; now: Indexes } {
  const before = parseIndexes(completedIndexes, completions);
  const newly = pods.filter(
    ({ status, metadata }) =>
      status?.phase === "Succeeded" &&
      metadata.finalizers?.includes(TRACKING_FINALIZER),
  );
  const valid = newly
    .map(indexOf)
    .filter((index) => index >= 0 && index < completions);
  return { before, now: withIndexes(before, valid) };
}
// endregion: succeeded-indexes

/** `web-3-`: what the Pod's name begins with, cut to fit. */
export function generateNameOf(job: string, index: number): string {
  const end = `-${index}-`;
  return job.slice(0, MAX_GENERATED_NAME - end.length) + end;
}
