/**
 * The scheduling framework: what a plugin is. One Pod's way through it:
 *
 *   preEnqueue → (queue, sorted by less) → preFilter → filter each Node
 *     → postFilter, if no Node fits → preScore → score each Node
 *     → normalizeScore → reserve → permit → preBind → bind → postBind
 *
 * A plugin implements the points that it needs and may keep a state for one
 * cycle: what `preFilter` gives back comes in again at `filter` and later.
 * Models:     kube-scheduler/framework/interface.go @ v1.36
 * Leaves out: extenders; CycleState is one value a plugin, passed by hand.
 * Try:        write plugins/my-score.ts and add it to profile.ts.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { EventWithHint } from "./cluster-events.ts";
import type { Cycle } from "./cycle.ts";
import type { FilterPlugin } from "./filter-plugin.ts";
import type { QueuedPod } from "./queue/queued-pod.ts";
import type { Status } from "./status.ts";

/** A score is a whole number from 0 to this, once normalized. */
export const MAX_NODE_SCORE = 100;

/** `F`: state from preFilter on; `S`: state from preScore on. */
export interface Plugin<F = unknown, S = unknown> extends FilterPlugin<F> {
  /** May the Pod enter the queue at all? */
  preEnqueue?(pod: Pod): Status | null;
  /** Order of the queue; one plugin of a profile has it. */
  less?(a: QueuedPod, b: QueuedPod): boolean;
  /** What can undo this plugin's refusals. */
  readonly events?: readonly EventWithHint[];

  /** Once a cycle: prepares the state, refuses the Pod, or answers SKIP. */
  preFilter?(cycle: Cycle): PreFilterResult<F> | Status;
  /** No Node fits. Can something be done about it? */
  postFilter?(cycle: Cycle): PostFilterResult;

  /** Once a cycle, with the Nodes that fit; SKIP leaves the plugin out. */
  preScore?(
    cycle: Cycle,
    nodes: readonly NodeInfo[],
  ): PreScored<S> | AllTheSame | Status;
  /** How well does the Node suit? Any number, if `normalizeScore` is there. */
  score?(node: NodeInfo, pod: PodInfo, state: S): number;
  /** Brings the scores of all Nodes into 0 … 100, in place. */
  normalizeScore?(scores: Scores, nodes: readonly NodeInfo[], state: S): void;

  /** The Node is chosen: take what is needed, before it is bound. */
  reserve?(cycle: Cycle, node: NodeInfo, state: F): Status | null;
  /** Gives it back: binding failed. */
  unreserve?(cycle: Cycle, node: NodeInfo, state: F): void;
  /** The last word: allow, refuse, or wait (`waitMs` at most). */
  permit?(cycle: Cycle, node: NodeInfo): Status | null;
  readonly waitMs?: number;
  /** What must be done first, e.g. provisioning a volume. */
  preBind?(cycle: Cycle, node: NodeInfo, state: F): Promise<Status | null>;
  /** Tells the API server. SKIP lets the next plugin bind. */
  bind?(cycle: Cycle, node: NodeInfo): Promise<Status | null>;
  postBind?(cycle: Cycle, node: NodeInfo): void;
}

export interface PreFilterResult<F> {
  readonly state: F;
  /** Only these Nodes come into question; absent: all. */
  readonly nodeNames?: ReadonlySet<string>;
}

export interface PreScored<S> {
  readonly state: S;
}

/** Every Node gets this normalized score: there is no need to ask. */
export interface AllTheSame {
  readonly same: number;
}

/** One number a Node, in the Nodes' order. */
export type Scores = Float64Array;

export interface PostFilterResult {
  /** null: done, the Pod is nominated to a Node. */
  readonly status: Status | null;
  /** Absent leaves the nomination as it is; "" takes it away. */
  readonly nominatedNode?: string;
}

/** "Nothing to prepare": the state of a plugin that keeps none. */
export const NO_STATE = Object.freeze({ state: undefined });

/** Is this what a preFilter or preScore made, or a refusal? */
export function isStatus(answer: object): answer is Status {
  return "code" in answer;
}

/** Scales scores so that the highest is 100; `reverse` turns them round. */
export function defaultNormalize(scores: Scores, reverse: boolean): void {
  let highest = 0;
  for (let i = 0; i < scores.length; i++) {
    if (scores[i]! > highest) highest = scores[i]!;
  }
  for (let i = 0; i < scores.length; i++) {
    const part =
      highest === 0 ? 0 : Math.floor((MAX_NODE_SCORE * scores[i]!) / highest);
    scores[i] = reverse ? MAX_NODE_SCORE - part : part;
  }
}
