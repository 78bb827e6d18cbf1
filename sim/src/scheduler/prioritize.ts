/**
 * Scores the Nodes that fit and picks the best.
 * Models:     prioritizeNodes, RunScorePlugins in pkg/scheduler @ v1.36
 * Leaves out: extenders.
 */
import type { Random } from "../kernel/index.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { Cycle } from "./cycle.ts";
import { isStatus, type Plugin, type Scores } from "./framework.ts";
import type { Runtime } from "./runtime.ts";

/** One plugin's part: normalized, then multiplied by the weight. */
export interface PluginScores {
  readonly plugin: string;
  /** In the order of the Nodes; one number if it is the same for all. */
  readonly scores: Scores | number;
}

export interface Priorities {
  readonly totals: Scores;
  readonly parts: readonly PluginScores[];
}

/**
 * Scores all `nodes` with every plugin that does not skip. The arrays are
 * lent: the next call writes into them again.
 */
export function prioritize(
  runtime: Runtime,
  cycle: Cycle,
  nodes: readonly NodeInfo[],
): Priorities {
  const totals = runtime.scratch(0, nodes.length).fill(0);
  const parts: PluginScores[] = [];
  let common = 0;
  for (const { plugin, weight } of runtime.scorers) {
    const prepared = plugin.preScore?.(cycle, nodes);
    if (prepared && isStatus(prepared)) continue;
    if (prepared && "same" in prepared) {
      common += prepared.same * weight;
      parts.push({ plugin: plugin.name, scores: prepared.same * weight });
      continue;
    }
    const scores = runtime.scratch(parts.length + 1, nodes.length);
    scoreAll(plugin, cycle, nodes, scores, prepared?.state);
    addWeighted(totals, scores, weight);
    parts.push({ plugin: plugin.name, scores });
  }
  for (let n = 0; n < totals.length; n++) totals[n]! += common;
  return { totals, parts };
}

function scoreAll(
  plugin: Plugin,
  { pod }: Cycle,
  nodes: readonly NodeInfo[],
  scores: Scores,
  state: unknown,
): void {
  for (let n = 0; n < nodes.length; n++) {
    scores[n] = plugin.score!(nodes[n]!, pod, state);
  }
  plugin.normalizeScore?.(scores, nodes, state);
}

function addWeighted(totals: Scores, scores: Scores, weight: number): void {
  for (let n = 0; n < totals.length; n++) {
    scores[n]! *= weight;
    totals[n]! += scores[n]!;
  }
}

/** The n-th Node's part of a plugin. */
export function scoreOf({ scores }: PluginScores, n: number): number {
  return typeof scores === "number" ? scores : (scores[n] ?? 0);
}

/** Index of the highest total; among equals each is as likely. */
export function pickHighest(totals: Scores, random: Random): number {
  let highest = Number.NEGATIVE_INFINITY;
  let ties = 0;
  for (let n = 0; n < totals.length; n++) {
    if (totals[n]! > highest) {
      highest = totals[n]!;
      ties = 1;
    } else if (totals[n] === highest) ties++;
  }
  let skip = random.int(ties);
  for (let n = 0; n < totals.length; n++) {
    if (totals[n] === highest && skip-- === 0) return n;
  }
  return 0;
}
