/**
 * Scores the Nodes that fit and picks the best.
 * Models:     prioritizeNodes, RunScorePlugins in pkg/scheduler @ v1.36
 * Leaves out: extenders.
 */

import type { Random } from "../kernel/index.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { Cycle } from "./cycle.ts";
import { isStatus, type Plugin } from "./framework.ts";
import type { Runtime } from "./runtime.ts";

/** One plugin's part: normalized, then multiplied by the weight. */
export interface PluginScores {
  readonly plugin: string;
  /** In the order of the Nodes. */
  readonly scores: readonly number[];
}

export interface Priorities {
  readonly totals: readonly number[];
  readonly parts: readonly PluginScores[];
}

/** Scores all `nodes` with every plugin that does not skip. */
export function prioritize(
  runtime: Runtime,
  cycle: Cycle,
  nodes: readonly NodeInfo[],
): Priorities {
  const totals = new Array<number>(nodes.length).fill(0);
  const parts: PluginScores[] = [];
  for (let i = 0; i < runtime.plugins.length; i++) {
    const plugin = runtime.plugins[i]!;
    if (!plugin.score) continue;
    const prepared = plugin.preScore?.(cycle, nodes);
    if (prepared && isStatus(prepared)) continue;
    const scores = scoreAll(plugin, cycle, nodes, prepared?.state);
    const weight = runtime.weights[i]!;
    for (let n = 0; n < scores.length; n++) {
      totals[n]! += scores[n]! *= weight;
    }
    parts.push({ plugin: plugin.name, scores });
  }
  return { totals, parts };
}

function scoreAll(
  plugin: Plugin,
  { pod }: Cycle,
  nodes: readonly NodeInfo[],
  state: unknown,
): number[] {
  const scores = new Array<number>(nodes.length).fill(0);
  for (let n = 0; n < nodes.length; n++) {
    scores[n] = plugin.score!(nodes[n]!, pod, state);
  }
  plugin.normalizeScore?.(scores, nodes, state);
  return scores;
}

/** Index of the highest total; among equals each is as likely. */
export function pickHighest(totals: readonly number[], random: Random): number {
  let best = 0;
  let ties = 1;
  for (let n = 1; n < totals.length; n++) {
    if (totals[n]! > totals[best]!) {
      best = n;
      ties = 1;
    } else if (totals[n] === totals[best]) {
      ties++;
      if (random.int(ties) === 0) best = n;
    }
  }
  return best;
}
