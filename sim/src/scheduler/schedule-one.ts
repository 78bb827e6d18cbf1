/**
 * One scheduling cycle: takes a Pod, finds the Nodes that fit, picks the
 * best, and assumes the Pod there, so that the next cycle can begin while
 * this Pod is still being bound.
 * Models:     pkg/scheduler/schedule_one.go @ v1.36
 * Leaves out: extenders; metrics.
 */
import type { Kernel, Random } from "../kernel/index.ts";
import type { Cache } from "./cache/cache.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import { Cycle } from "./cycle.ts";
import { explainFilter, explainScores, type ScoreDetail } from "./explain.ts";
import { NodeFinder } from "./find-nodes.ts";
import { pickHighest, prioritize } from "./prioritize.ts";
import type { Nominator } from "./queue/nominator.ts";
import type { QueuedPod } from "./queue/queued-pod.ts";
import type { Runtime } from "./runtime.ts";
import { isRejected, type Status } from "./status.ts";

/** What a cycle came to. */
export type Outcome =
  | { readonly node: NodeInfo; readonly waitMs: number; readonly cycle: Cycle }
  | { readonly failure: Failure; readonly cycle: Cycle };

export interface Failure {
  /** `Unschedulable`: plugins refused the Pod; else something broke. */
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
  /** "" takes a nomination away, absent leaves it. */
  readonly nominatedNode?: string;
}

export interface CycleParts {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly random: Random;
  readonly cache: Cache;
  readonly nominator: Nominator;
}

const NO_NODES = "no nodes available to schedule pods";

export class Schedule {
  private readonly parts: CycleParts;
  private readonly runtime: Runtime;
  private readonly finder: NodeFinder;
  /** The last explanation, of which the next one shares what is equal. */
  private explained: ScoreDetail | undefined;

  constructor(parts: CycleParts, runtime: Runtime) {
    this.parts = parts;
    this.runtime = runtime;
    this.finder = new NodeFinder(runtime);
  }

  // region: schedule-one
  /** Runs one cycle, from start to end in one step. */
  one({ info, causeId }: QueuedPod): Outcome {
    const { kernel, actor, cache } = this.parts;
    const cycle = new Cycle(info, cache);
    kernel.causeId = causeId;
    const { trace } = kernel;
    const subject = trace.wants("schedule") ? `Pod ${info.key}` : "";
    cycle.causeId = kernel.record(actor, "schedule", subject);
    kernel.causeId = cycle.causeId;
    if (cache.nodes.length === 0) {
      const reason = "Unschedulable";
      return {
        cycle,
        failure: { reason, message: NO_NODES, nominatedNode: "" },
      };
    }
    const feasible = this.finder.find(cycle);
    const told = trace.wants("filter");
    const text = told
      ? `${feasible.length} of ${cache.nodes.length} nodes fit`
      : "";
    const detail = told ? explainFilter(cycle, feasible) : undefined;
    kernel.record(actor, "filter", text, "", detail);
    const node = this.choose(cycle, feasible);
    if (!node) return { cycle, failure: this.afterNoFit(cycle) };
    return this.assume(cycle, node);
  }
  // endregion: schedule-one

  /** The best of the Nodes that fit; a single one needs no scores. */
  private choose(
    cycle: Cycle,
    feasible: readonly NodeInfo[],
  ): NodeInfo | undefined {
    if (feasible.length <= 1) return feasible[0];
    const { kernel, actor, random } = this.parts;
    const priorities = prioritize(this.runtime, cycle, feasible);
    const chosen = feasible[pickHighest(priorities.totals, random)];
    if (!chosen) return undefined;
    if (kernel.trace.wants("score")) {
      const { explained } = this;
      const { name } = chosen;
      this.explained = explainScores(feasible, priorities, name, explained);
    }
    kernel.record(actor, "score", chosen.name, "", this.explained);
    return chosen;
  }

  /** No Node fits: perhaps others can make room. */
  private afterNoFit(cycle: Cycle): Failure {
    const { diagnosis, snapshot } = cycle;
    const { message, nominatedNode } = this.runtime.postFilter(cycle);
    diagnosis.postFilterMessage = message;
    return {
      reason: "Unschedulable",
      message: diagnosis.message(snapshot.nodes.length),
      nominatedNode,
    };
  }

  /** From here on the Pod counts as running on the Node. */
  private assume(cycle: Cycle, node: NodeInfo): Outcome {
    const { cache, nominator } = this.parts;
    cache.assume(cycle.pod, node.name);
    nominator.delete(cycle.pod.uid);
    const refusal = this.runtime.binding.reserve(cycle, node);
    const answer = refusal ?? this.runtime.binding.permit(cycle, node);
    if (typeof answer === "number") return { cycle, node, waitMs: answer };
    this.undo(cycle, node);
    return { cycle, failure: refusedBy(cycle, node, answer) };
  }

  /** The Pod does not go there after all. */
  undo(cycle: Cycle, node: NodeInfo): void {
    this.runtime.binding.unreserve(cycle, node);
    this.parts.cache.forget(cycle.pod);
  }
}

/** A refusal at Reserve or Permit reads as one of a single Node. */
function refusedBy(cycle: Cycle, node: NodeInfo, why: Status): Failure {
  if (!isRejected(why)) {
    const message = why.reasons.join(", ");
    return { reason: "SchedulerError", message, nominatedNode: "" };
  }
  cycle.diagnosis.refuse(node.name, why);
  const message = cycle.diagnosis.message(1);
  return { reason: "Unschedulable", message, nominatedNode: "" };
}
