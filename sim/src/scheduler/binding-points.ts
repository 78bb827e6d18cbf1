/**
 * Runs the plugins once a Node is chosen: reserve, permit, preBind, bind.
 * Models:     pkg/scheduler/framework/runtime/framework.go @ v1.36
 * Leaves out: metrics.
 */
import type { NodeInfo } from "./cache/node-info.ts";
import type { Cycle } from "./cycle.ts";
import type { Plugin } from "./framework.ts";
import { type Status, status } from "./status.ts";

export class BindingPoints {
  private readonly at: ReturnType<typeof byPoint>;

  constructor(plugins: readonly Plugin[]) {
    this.at = byPoint(plugins);
  }

  reserve(cycle: Cycle, node: NodeInfo): Status | null {
    for (const plugin of this.at.reserve) {
      const state = cycle.states.get(plugin.name);
      const answer = plugin.reserve?.(cycle, node, state);
      if (answer) return answer;
    }
    return null;
  }

  /** Gives back what was reserved. */
  unreserve(cycle: Cycle, node: NodeInfo): void {
    for (const plugin of this.at.unreserve) {
      plugin.unreserve?.(cycle, node, cycle.states.get(plugin.name));
    }
  }

  /** Refusal, or how long to wait at most; 0 for at once. */
  permit(cycle: Cycle, node: NodeInfo): Status | number {
    let waitMs = 0;
    for (const plugin of this.at.permit) {
      const answer = plugin.permit?.(cycle, node);
      if (answer && answer.code !== "Wait") return answer;
      if (answer) waitMs = Math.max(waitMs, plugin.waitMs ?? 0);
    }
    return waitMs;
  }

  async preBind(cycle: Cycle, node: NodeInfo): Promise<Status | null> {
    for (const plugin of this.at.preBind) {
      const state = cycle.states.get(plugin.name);
      const answer = await plugin.preBind!(cycle, node, state);
      if (answer) return answer;
    }
    return null;
  }

  async bind(cycle: Cycle, node: NodeInfo): Promise<Status | null> {
    for (const plugin of this.at.bind) {
      const answer = await plugin.bind!(cycle, node);
      if (answer?.code !== "Skip") return answer;
    }
    return status("", "Error", "no plugin bound the Pod");
  }

  postBind(cycle: Cycle, node: NodeInfo): void {
    for (const plugin of this.at.postBind) plugin.postBind?.(cycle, node);
  }
}

/** The plugins of each point, so that the others are not even asked. */
function byPoint(plugins: readonly Plugin[]) {
  const having = (point: keyof Plugin) =>
    plugins.filter((plugin) => plugin[point] !== undefined);
  return {
    reserve: having("reserve"),
    /** What was taken last goes first. */
    unreserve: having("unreserve").toReversed(),
    permit: having("permit"),
    preBind: having("preBind"),
    bind: having("bind"),
    postBind: having("postBind"),
  };
}
