/**
 * One run from its beginning: builds the cluster of a scenario, plays the
 * inputs at their moments, and stops when all is quiet. The page's worker, the
 * command line and the tests all run through here.
 */
import { ADMIN } from "./cluster/identities.ts";
import { type Cluster, createCluster } from "./cluster.ts";
import type { TraceLevel } from "./kernel/index.ts";
import { Kernel } from "./kernel/index.ts";
import { runKubectl } from "./kubectl/kubectl.ts";
import type { Problem } from "./kubectl/problem.ts";
import type { ConnectInput, Input, Scenario } from "./scenario.ts";

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
}

export interface OutputLine {
  readonly atMs: number;
  /** `kubectl`, or the component whose code printed it. */
  readonly from: string;
  readonly text: string;
  readonly isError: boolean;
  /** The line tells of this mistake in a manifest. */
  readonly problem?: Problem;
}

export interface SessionRunOptions {
  /** Overrides the scenario's. */
  readonly untilMs?: number;
  readonly maxSteps?: number;
  readonly stopWhen?: () => boolean;
  readonly onYield?: () => Promise<void>;
}

/** quiet: nothing more happens; stopped: `stopWhen` said so. */
export type EndReason = "quiet" | "time" | "steps" | "stopped" | "idle";

export interface Session {
  readonly kernel: Kernel;
  readonly cluster: Cluster;
  run(options?: SessionRunOptions): Promise<EndReason>;
}

const UNTIL_MS = 60_000;
const QUIET_MS = 3_000;
/** Kinds whose changes are the cluster's pulse, not news. */
const PULSE = new Set(["Lease", "Event", "Node"]);

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

function play(input: Input, cluster: Cluster, options: SessionOptions): void {
  const { kernel } = cluster;
  kernel.causeId = kernel.record(
    "you",
    "input",
    describeInput(input),
    "",
    input,
  );
  switch (input.do) {
    case "apply":
      command(cluster, options, ["apply", "-f", "-"], input.yaml);
      break;
    case "kubectl":
      command(cluster, options, splitLine(input.line), input.stdin ?? "");
      break;
    case "stop":
      cluster.stop(input.actor);
      break;
    case "shutdown":
      cluster.shutDown(input.actor);
      break;
    case "start":
      cluster.startAgain(input.actor);
      break;
    case "partition":
      kernel.faults.partition(...input.between);
      break;
    case "heal":
      kernel.faults.heal(...input.between);
      break;
    case "slow":
      kernel.faults.slowDown(input.actor, input.extraMs);
      break;
    case "connect":
      connect(input, cluster, options);
  }
}

function command(
  cluster: Cluster,
  options: SessionOptions,
  argv: string[],
  stdin: string,
): void {
  const { kernel } = cluster;
  const print = (text: string, isError: boolean, problem?: Problem) => {
    if (text) kernel.record("kubectl", "log", text);
    const atMs = kernel.now();
    options.onOutput?.({ atMs, from: "kubectl", text, isError, problem });
  };
  kernel.spawn("kubectl", async () => {
    await runKubectl(argv, {
      kernel,
      client: cluster.client("kubectl", ADMIN),
      kinds: cluster.kinds,
      files: { "-": stdin },
      out: (text) => print(text, false),
      err: (text) => print(text, true),
      problem: (problem) => print("", true, problem),
    });
  });
}

/** Sends packets through the cluster, and prints what came of it. */
function connect(
  input: ConnectInput,
  cluster: Cluster,
  { onOutput }: SessionOptions,
): void {
  const { kernel } = cluster;
  kernel.spawn("network", async () => {
    const result = await cluster.traffic.connect(input);
    const { text, ok } = result;
    const to = `${input.from} > ${input.to}`;
    kernel.record("network", "log", `${to}: ${text}`, "", result);
    const atMs = kernel.now();
    onOutput?.({ atMs, from: input.from, text, isError: !ok });
  });
}

/** Splits a command line at spaces, minding quotes. */
export function splitLine(line: string): string[] {
  const words = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function describeInput(input: Input): string {
  switch (input.do) {
    case "apply":
      return "kubectl apply -f -";
    case "kubectl":
      return `kubectl ${input.line}`;
    case "partition":
    case "heal":
      return `${input.do} ${input.between.join(" | ")}`;
    case "connect":
      return `${input.from} connects to ${input.to}`;
    case "slow":
      return `slow ${input.actor} ${input.extraMs} ms`;
    default:
      return `${input.do} ${input.actor}`;
  }
}
