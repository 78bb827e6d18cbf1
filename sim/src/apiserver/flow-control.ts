/**
 * API priority and fairness: requests are sorted into levels that each have
 * seats of their own, so that one busy kind of client cannot starve another;
 * within a level every user has a queue, and the queues are served in turn.
 * Models:     apiserver/pkg/util/flowcontrol, apiserver/pkg/apis/flowcontrol
 *             /bootstrap/default.go @ v1.36
 * Leaves out: borrowing between levels, shuffle sharding, wide requests,
 *             levels other than the default ones.
 */
import { tooManyRequests } from "../api/status.ts";
import type { Kernel } from "../kernel/index.ts";
import type { UserInfo } from "./authentication/user.ts";
import type { RequestContext } from "./context.ts";
import { flowOf } from "./flow/match.ts";

export interface FlowControlOptions {
  /** Seats of the whole server, shared out by the levels' shares. */
  readonly seats: number;
  /** How long a request holds its seat, in ms. */
  readonly holdMs: number;
  /** Requests that may wait in one queue. */
  readonly queueLength: number;
}

export const DEFAULT_FLOW_CONTROL: FlowControlOptions = Object.freeze({
  seats: 600,
  holdMs: 5,
  queueLength: 50,
});

/** Shares of the levels. Source: flowcontrol/bootstrap/default.go */
const SHARES: { readonly [level: string]: number } = {
  "leader-election": 10,
  "node-high": 40,
  system: 30,
  "workload-high": 40,
  "workload-low": 100,
  "global-default": 20,
  "catch-all": 5,
};

// region: level
/** The level of a request, by who asks for what. */
export function levelOf({ server, user, request }: RequestContext): string {
  return flowOf(server, user, request).level;
}
// endregion: level

interface Level {
  free: number;
  /** Waiting requests by user, in the order in which queues are served. */
  readonly queues: Map<string, (() => void)[]>;
}

export class FlowControl {
  private readonly kernel: Kernel;
  private readonly options: FlowControlOptions;
  private readonly levels = new Map<string, Level>();
  /** Requests that were refused, by level. */
  readonly rejected = new Map<string, number>();

  constructor(kernel: Kernel, options: FlowControlOptions) {
    this.kernel = kernel;
    this.options = options;
    const all = Object.values(SHARES).reduce((a, b) => a + b);
    for (const [name, share] of Object.entries(SHARES)) {
      const free = Math.max(1, Math.ceil((options.seats * share) / all));
      this.levels.set(name, { free, queues: new Map() });
    }
  }

  /** Waits for a seat; throws 429 if the user's queue is full. */
  enter(ctx: RequestContext): void | Promise<void> {
    const name = levelOf(ctx);
    const level = this.levels.get(name);
    if (!level) return;
    if (level.free > 0) {
      level.free--;
      this.leaveLater(level);
      return;
    }
    const queue = this.queueOf(level, ctx.user);
    if (queue.length >= this.options.queueLength) {
      this.rejected.set(name, (this.rejected.get(name) ?? 0) + 1);
      const message = "too many requests, please try again later";
      throw tooManyRequests(message, 1);
    }
    return this.kernel.wait((resolve) => queue.push(() => resolve()));
  }

  private queueOf(level: Level, { name }: UserInfo): (() => void)[] {
    let queue = level.queues.get(name);
    if (!queue) {
      queue = [];
      level.queues.set(name, queue);
    }
    return queue;
  }

  private leaveLater(level: Level): void {
    this.kernel.after(this.options.holdMs, () => this.leave(level));
  }

  /** The seat goes to the next queue's first; that queue goes to the end. */
  private leave(level: Level): void {
    const [next] = level.queues;
    if (!next) {
      level.free++;
      return;
    }
    const [user, queue] = next;
    level.queues.delete(user);
    const run = queue.shift();
    if (queue.length > 0) level.queues.set(user, queue);
    this.leaveLater(level);
    run?.();
  }
}
