/**
 * One run from its beginning: builds the cluster of a scenario, plays the
 * inputs at their moments, and stops when all is quiet. The page's worker, the
 * command line and the tests all run through here.
 */
import { play } from "./cluster/play.ts";
import { type Cluster, createCluster } from "./cluster.ts";
import type { TraceLevel } from "./kernel/index.ts";
import { Kernel } from "./kernel/index.ts";
import type { Problem } from "./kubectl/problem.ts";
import type { Input, Scenario } from "./scenario.ts";

export { splitLine } from "./cluster/play.ts";

/** All that a run depends on, and who listens to it. */
export interface SessionOptions {
  readonly seed: number;
  readonly scenario: Scenario;
  /** The reader's own inputs. */
  readonly inputs?: readonly Input[];
  readonly trace?: TraceLevel;
  /** Moment of simulated 0, RFC 3339. */
  readonly epoch?: string;
  /** Gets each line that a command or the reader's code prints. */
  readonly onOutput?: (line: OutputLine) => void;
  /** Opens a text for `kubectl edit`, where there is an editor. */
  readonly editor?: (text: string) => string;
}

/** A line on the console of a run. */
export interface OutputLine {
  readonly atMs: number;
  /** `kubectl`, or the component whose code printed it. */
  readonly from: string;
  readonly text: string;
  readonly isError: boolean;
  /** The line tells of this mistake in a manifest. */
  readonly problem?: Problem;
}

/** How far a call of `run` goes; without any, to the end. */
export interface SessionRunOptions {
  /** Overrides the scenario's. */
  readonly untilMs?: number;
  readonly maxSteps?: number;
  readonly stopWhen?: () => boolean;
  readonly onYield?: () => Promise<void>;
}

/** quiet: nothing more happens; stopped: `stopWhen` said so. */
export type EndReason = "quiet" | "time" | "steps" | "stopped" | "idle";

/** A run. `run` may be called again to go on from where it stopped. */
export interface Session {
  readonly kernel: Kernel;
  readonly cluster: Cluster;
  run(options?: SessionRunOptions): Promise<EndReason>;
}

const UNTIL_MS = 60_000;
const QUIET_MS = 3_000;
/** Kinds whose changes are the cluster's pulse, not news. */
const PULSE = new Set(["Lease", "Event", "Node"]);

/** Builds a cluster and lays out its inputs; nothing happens before `run()`. */
export function createSession(options: SessionOptions): Session {
  const { scenario, seed } = options;
  const { epoch, trace = "full" } = options;
  const kernel = new Kernel({ seed, trace, epoch });
  const cluster = createCluster({ kernel, scenario });
  const inputs = [...(scenario.inputs ?? []), ...(options.inputs ?? [])];
  const quiet = watchQuiet(cluster, inputs, scenario.quietMs ?? QUIET_MS);
  cluster.start();
  for (const input of inputs) {
    kernel.after(input.atMs, () => play(input, cluster, options));
  }
  return {
    kernel,
    cluster,
    async run(runOptions = {}) {
      const until = runOptions.untilMs ?? scenario.untilMs ?? UNTIL_MS;
      const stop = runOptions.stopWhen;
      const { reason } = await kernel.run({
        untilMs: until,
        maxSteps: runOptions.maxSteps,
        onYield: runOptions.onYield,
        stopWhen: () => quiet() || (stop?.() ?? false),
      });
      return reason === "stopped" && quiet() ? "quiet" : reason;
    },
  };
}

/** True once nothing but the pulse changed for `quietMs` after all inputs. */
function watchQuiet(
  cluster: Cluster,
  inputs: readonly Input[],
  quietMs: number,
): () => boolean {
  if (quietMs === 0) return () => false;
  const { kernel } = cluster;
  let newsMs = Math.max(0, ...inputs.map((input) => input.atMs));
  cluster.onWrite(({ before, after }) => {
    const kind = (after ?? before)!.kind;
    if (!PULSE.has(kind)) newsMs = Math.max(newsMs, kernel.now());
  });
  return () => kernel.now() - newsMs > quietMs;
}
