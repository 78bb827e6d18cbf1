/**
 * Why a Pod went where it went: for each Node which plugin refused it and
 * why, or every plugin's score. Kept in the trace, in full for small
 * clusters, as counts for large ones.
 */
import type { NodeInfo } from "./cache/node-info.ts";
import type { Cycle } from "./cycle.ts";
import { type Priorities, scoreOf } from "./prioritize.ts";

/** More Nodes than this are only counted. */
const NODES_SHOWN_MAX = 100;

export interface Refusal {
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
}

/** Detail of a `filter` entry. */
export interface FilterDetail {
  /** Names of the Nodes that fit, or their number. */
  readonly fits: readonly string[] | number;
  /** By Node, in small clusters. */
  readonly refused?: { readonly [node: string]: Refusal };
  /** Number of Nodes by plugin and reason, in large ones. */
  readonly reasons?: { readonly [reason: string]: number };
  /** The plugin that refused the Pod before any Node was looked at. */
  readonly preFilter?: string;
}

/**
 * Detail of a `score` entry. Numbers stand in columns, one a plugin, in the
 * order of `nodes`; weights are in them.
 */
export interface ScoreDetail {
  readonly chosen: string;
  /** Names of the Nodes that were scored; in large clusters their number. */
  readonly nodes: readonly string[] | number;
  readonly plugins?: { readonly [plugin: string]: readonly number[] };
  readonly total?: readonly number[];
}

export function explainFilter(
  { snapshot, diagnosis }: Cycle,
  feasible: readonly NodeInfo[],
): FilterDetail {
  const preFilter = diagnosis.preFilterMessage || undefined;
  if (snapshot.nodes.length > NODES_SHOWN_MAX) {
    const reasons: Record<string, number> = {};
    for (const { plugin, reasons: texts } of diagnosis.nodes.values()) {
      const key = `${plugin}: ${texts.join(", ")}`;
      reasons[key] = (reasons[key] ?? 0) + 1;
    }
    return { fits: feasible.length, reasons, preFilter };
  }
  const fits = feasible.map(({ name }) => name);
  const refused: Record<string, Refusal> = {};
  if (fits.length < snapshot.nodes.length) {
    for (const { name } of snapshot.nodes) {
      if (fits.includes(name)) continue;
      const { plugin, code, reasons } = diagnosis.of(name);
      refused[name] = { plugin, code, reasons };
    }
  }
  return { fits, refused, preFilter };
}

/**
 * Columns that are as in the explanation `before` are shared with it: most
 * Pods of a rollout get the same marks from most plugins.
 */
export function explainScores(
  nodes: readonly NodeInfo[],
  { totals, parts }: Priorities,
  chosen: string,
  before: ScoreDetail | undefined,
): ScoreDetail {
  const { length } = nodes;
  if (length > NODES_SHOWN_MAX) return { chosen, nodes: length };
  const plugins: Record<string, readonly number[]> = {};
  for (const part of parts) {
    const { plugin } = part;
    const known = before?.plugins?.[plugin];
    plugins[plugin] = column(length, (n) => scoreOf(part, n), known);
  }
  const names = typeof before?.nodes === "object" ? before.nodes : undefined;
  return {
    chosen,
    nodes: column(length, (n) => nodes[n]!.name, names),
    plugins,
    total: column(length, (n) => totals[n]!, before?.total),
  };
}

function column<T>(
  length: number,
  at: (n: number) => T,
  known: readonly T[] | undefined,
): readonly T[] {
  let same = 0;
  if (known?.length === length) {
    while (same < length && known[same] === at(same)) same++;
    if (same === length) return known;
  }
  return Array.from({ length }, (_, n) => at(n));
}

/** The same by Node: each plugin's score and the total. */
export function scoresOf(
  { nodes, plugins = {}, total = [] }: ScoreDetail,
  node: string,
): { readonly [plugin: string]: number } {
  const n = typeof nodes === "number" ? -1 : nodes.indexOf(node);
  const row: Record<string, number> = {};
  for (const [plugin, scores] of Object.entries(plugins)) {
    row[plugin] = scores[n] ?? 0;
  }
  row.total = total[n] ?? 0;
  return row;
}
