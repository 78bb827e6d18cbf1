/** Replays hpa.json: replicas for a measurement, and how fast to get there. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { HPAScalingRules } from "../../sim/src/api/kinds/types/policy.ts";
import {
  decide,
  newMemory,
  noteScaled,
  scaleUpLimit,
} from "../../sim/src/controllers/hpa/behavior.ts";
import type { Sample } from "../../sim/src/controllers/hpa/metrics.ts";
import { forAverage, forUtilization } from "../../sim/src/controllers/hpa/replicas.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface Case {
  pods?: string;
  usageMilliCPU?: number[];
  requestMilliCPU?: number;
  targetUtilization?: number;
  currentReplicas?: number;
  kind?: string;
  target?: number;
  usage?: number[];
  replicas: number;
  utilization?: number;
  averageMilli?: number;
  average?: number;
  error?: string;
}

interface BehaviourCase {
  min: number;
  max: number;
  everySeconds: number;
  scaleUp: HPAScalingRules;
  scaleDown: HPAScalingRules;
  steps: { t: number; current: number; recommended: number; result: number }[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const name = nameOf(c, i);
    const { replicas, utilization, averageMilli, average, error } = c;
    const run = c.kind ? () => average_(c) : () => proposal(c);
    if (error) tally.throws(name, run, ({ message }) => message === error);
    else if (c.kind) tally.same(name, run, { replicas, average });
    else tally.same(name, run, { replicas, utilization, averageMilli });
  }
  for (const c of casesOf<{ current: number; scaleUpLimit: number }>(file, "scaleUpLimits")) {
    tally.same(`limit ${c.current}`, () => scaleUpLimit(c.current), c.scaleUpLimit);
  }
  for (const [i, c] of casesOf<BehaviourCase>(file, "behaviours").entries()) {
    tally.same(
      nameOf(c, i),
      () => results(c),
      c.steps.map(({ result }) => result),
    );
  }
  return tally.result();
}

function results({ min, max, scaleUp, scaleDown, steps }: BehaviourCase): number[] {
  const memory = newMemory(steps[0]?.current ?? 0, (steps[0]?.t ?? 0) * 1000);
  return steps.map(({ t, current, recommended }) => {
    const behavior = { scaleUp, scaleDown };
    const now = t * 1000;
    const { replicas } = decide(memory, behavior, { min, max }, current, recommended, now);
    noteScaled(memory, current, replicas, now);
    return replicas;
  });
}

function given(letters: string, usage: readonly number[], currentReplicas: number) {
  const kernel = new Kernel();
  const pods = [...letters].map((letter, i) => podOf(letter, `p${i}`, kernel));
  const samples = new Map<string, Sample>();
  for (const [i, milli] of usage.entries()) {
    const sample = { milli, atMs: kernel.now(), windowMs: 60_000 };
    if (milli >= 0) samples.set(`p${i}`, sample);
  }
  return { currentReplicas, pods, samples, clock: kernel };
}

function proposal(c: Case) {
  const { pods = "", usageMilliCPU = [], requestMilliCPU = 0, targetUtilization = 0 } = c;
  const calculation = given(pods, usageMilliCPU, c.currentReplicas ?? pods.length);
  const requests = new Map([...pods].map((_, i) => [`p${i}`, requestMilliCPU]));
  return forUtilization(calculation, "cpu", () => requests, targetUtilization);
}

/** Pods metrics come with as many ready Pods as there are values. */
function average_(c: Case) {
  const { usage = [], target = 0 } = c;
  const pods = c.pods ?? "R".repeat(usage.length);
  const calculation = given(pods, usage, c.currentReplicas ?? pods.length);
  const { replicas, averageMilli } = forAverage(calculation, "", target);
  return { replicas, average: averageMilli };
}

/** R ready, N long not ready, U started 20 s ago and not ready, F failed,
 *  D being deleted, P pending. */
function podOf(letter: string, name: string, kernel: Kernel): Pod {
  const ago = (seconds: number) => kernel.timestamp(-seconds * 1000);
  const startTime = ago(letter === "U" ? 20 : 3600);
  // N was ready once; U never.
  const lastTransitionTime = letter === "U" ? startTime : ago(1800);
  const status = "NU".includes(letter) ? "False" : "True";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, deletionTimestamp: letter === "D" ? ago(0) : undefined },
    spec: { containers: [] },
    status: {
      phase: { F: "Failed", P: "Pending" }[letter] ?? "Running",
      startTime,
      conditions: [{ type: "Ready", status, lastTransitionTime }],
    },
  };
}
