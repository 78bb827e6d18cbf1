/**
 * How many Pods a measurement asks for: in proportion to how far it is off
 * the target. Pods that tell nothing are counted so that they hold back the
 * change, whichever way it goes.
 * Models: pkg/controller/podautoscaler/replica_calculator.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { podCondition } from "../shared/pods.ts";
import type { Sample } from "./metrics.ts";

type Clock = Pick<Kernel, "now" | "msOf">;

/** A change of less is not made. */
export interface Tolerance {
  readonly up: number;
  readonly down: number;
}

export const DEFAULT_TOLERANCE: Tolerance = { up: 0.1, down: 0.1 };

const CPU_INITIALIZATION_MS = 5 * 60 * 1000;
const READINESS_DELAY_MS = 30 * 1000;

export function isWithin({ up, down }: Tolerance, ratio: number): boolean {
  return ratio >= 1 - down && ratio <= 1 + up;
}

interface Groups {
  readonly ready: number;
  readonly unready: Set<string>;
  readonly missing: Set<string>;
  readonly ignored: Set<string>;
}

// region: group-pods
function groupPods(
  pods: readonly Pod[],
  samples: ReadonlyMap<string, Sample>,
  isCpu: boolean,
  clock: Clock,
): Groups {
  let ready = 0;
  const unready = new Set<string>();
  const missing = new Set<string>();
  const ignored = new Set<string>();
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const sample = samples.get(name);
    if (deletionTimestamp || pod.status?.phase === "Failed") ignored.add(name);
    else if (pod.status?.phase === "Pending") unready.add(name);
    else if (!sample) missing.add(name);
    else if (isCpu && isStarting(pod, sample, clock)) unready.add(name);
    else ready++;
  }
  return { ready, unready, missing, ignored };
}
// endregion: group-pods

/** CPU of a Pod that is starting says nothing about its load. */
function isStarting(pod: Pod, sample: Sample, clock: Clock): boolean {
  const ready = podCondition(pod, "Ready");
  const startTime = pod.status?.startTime;
  if (!ready || !startTime) return true;
  const startMs = clock.msOf(startTime);
  const changeMs = clock.msOf(ready.lastTransitionTime ?? startTime);
  const isUnready = ready.status === "False";
  if (startMs + CPU_INITIALIZATION_MS > clock.now()) {
    return isUnready || sample.atMs < changeMs + sample.windowMs;
  }
  // It has never been ready.
  return isUnready && startMs + READINESS_DELAY_MS > changeMs;
}

/** What a measurement comes to. */
export interface Proposal {
  readonly replicas: number;
  /** Percent of the requests; of resource metrics. */
  readonly utilization: number;
  /** Mean of the Pods, in thousandths. */
  readonly averageMilli: number;
}

/** Turns samples into a ratio to the target. */
type Measure = (samples: ReadonlyMap<string, number>) => {
  ratio: number;
  utilization: number;
  averageMilli: number;
};

export interface Calculation {
  readonly currentReplicas: number;
  readonly pods: readonly Pod[];
  readonly samples: ReadonlyMap<string, Sample>;
  readonly tolerance?: Tolerance;
  readonly clock: Clock;
}

export const NO_PODS =
  "no pods returned by selector while calculating replica count";
const NO_SAMPLES =
  "did not receive metrics for targeted pods (pods might be unready)";

// region: propose
function propose(
  given: Calculation,
  isCpu: boolean,
  measure: Measure,
  fullUse: (pod: string) => number,
): Proposal {
  const { currentReplicas, pods, clock } = given;
  const { tolerance = DEFAULT_TOLERANCE } = given;
  if (pods.length === 0) throw new Error(NO_PODS);
  const groups = groupPods(pods, given.samples, isCpu, clock);
  const names = new Set(pods.map(({ metadata }) => metadata.name));
  const used = new Map<string, number>();
  for (const [name, { milli }] of given.samples) {
    const leftOut = groups.ignored.has(name) || groups.unready.has(name);
    if (names.has(name) && !leftOut) used.set(name, milli);
  }
  if (used.size === 0) throw new Error(NO_SAMPLES);
  const { ratio, utilization, averageMilli } = measure(used);
  const say = (replicas: number) => ({ replicas, utilization, averageMilli });
  const growsPastUnready = groups.unready.size > 0 && ratio > 1;
  if (!growsPastUnready && groups.missing.size === 0) {
    if (isWithin(tolerance, ratio)) return say(currentReplicas);
    return say(Math.ceil(ratio * groups.ready));
  }
  for (const name of groups.missing) {
    if (ratio < 1) used.set(name, fullUse(name));
    else if (ratio > 1) used.set(name, 0);
  }
  if (growsPastUnready) for (const name of groups.unready) used.set(name, 0);
  const again = measure(used).ratio;
  const turned = (ratio < 1 && again > 1) || (ratio > 1 && again < 1);
  if (isWithin(tolerance, again) || turned) return say(currentReplicas);
  const replicas = Math.ceil(again * used.size);
  const wrongWay =
    (again < 1 && replicas > currentReplicas) ||
    (again > 1 && replicas < currentReplicas);
  return say(wrongWay ? currentReplicas : replicas);
}
// endregion: propose

/**
 * For a target in percent of what the Pods request; `requestsOf` tells it by
 * Pod, and is only asked once there is something to compare it with.
 */
export function forUtilization(
  given: Calculation,
  resource: string,
  requestsOf: () => ReadonlyMap<string, number>,
  targetUtilization: number,
): Proposal {
  let requests: ReadonlyMap<string, number> = new Map();
  const measure: Measure = (samples) => {
    if (requests.size === 0) requests = requestsOf();
    let total = 0;
    let requested = 0;
    let count = 0;
    for (const [name, milli] of samples) {
      const request = requests.get(name);
      if (request === undefined) continue;
      total += milli;
      requested += request;
      count++;
    }
    if (requested === 0) {
      throw new Error("no metrics returned matched known pods");
    }
    const utilization = Math.trunc((total * 100) / requested);
    const ratio = utilization / targetUtilization;
    return { ratio, utilization, averageMilli: Math.trunc(total / count) };
  };
  const percent = Math.max(100, targetUtilization);
  const fullUse = (name: string) =>
    Math.trunc(((requests.get(name) ?? 0) * percent) / 100);
  return propose(given, resource === "cpu", measure, fullUse);
}

/** For a target as a mean per Pod, in thousandths. */
export function forAverage(
  given: Calculation,
  resource: string,
  targetMilli: number,
): Proposal {
  const measure: Measure = (samples) => {
    let total = 0;
    for (const milli of samples.values()) total += milli;
    const averageMilli = Math.trunc(total / samples.size);
    const ratio = averageMilli / targetMilli;
    return { ratio, utilization: 0, averageMilli };
  };
  return propose(given, resource === "cpu", measure, () => targetMilli);
}
