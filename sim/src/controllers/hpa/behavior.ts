/**
 * How fast an autoscaler may go: not on every whim (stabilization), and not
 * too far at once (policies).
 * Models: pkg/controller/podautoscaler/horizontal.go
 *         (normalizeDesiredReplicasWithBehaviors) @ v1.36
 */
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from "../../api/kinds/types/policy.ts";
import { downLimit, type Memory, upLimit } from "./rates.ts";

export type { Memory } from "./rates.ts";

type Limit = readonly [reason: string, message: string];

export interface Decision {
  readonly replicas: number;
  /** Reason and message of AbleToScale. */
  readonly stable: readonly [reason: string, message: string];
  /** Reason and message of ScalingLimited; absent: within the range. */
  readonly limited?: readonly [reason: string, message: string];
}

export function newMemory(replicas: number, atMs: number): Memory {
  return { recommendations: [{ atMs, replicas }], ups: [], downs: [] };
}

/** Before `behavior` existed: double, or four. */
export function scaleUpLimit(current: number): number {
  return Math.max(2 * current, 4);
}

// region: decide
export function decide(
  memory: Memory,
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  range: { readonly min: number; readonly max: number },
  current: number,
  recommended: number,
  nowMs: number,
): Decision {
  if (!behavior)
    return decidePlainly(memory, range, current, recommended, nowMs);
  const stable = stabilize(memory, behavior, current, recommended, nowMs);
  const stabilized =
    stable < recommended
      ? ([
          "ScaleUpStabilized",
          "recent recommendations were lower than current one, applying the lowest recent recommendation",
        ] as const)
      : stable > recommended
        ? ([
            "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation",
          ] as const)
        : ([
            "ReadyForNewScale",
            "recommended size matches current size",
          ] as const);
  const [replicas, limited] = limit(
    memory,
    behavior,
    range,
    current,
    stable,
    nowMs,
  );
  return { replicas, stable: stabilized, limited };
}
// endregion: decide

/** Without `behavior`: down by the highest of 5 minutes, up at most double. */
function decidePlainly(
  memory: Memory,
  { min, max }: { readonly min: number; readonly max: number },
  current: number,
  recommended: number,
  nowMs: number,
): Decision {
  const highest = Number.POSITIVE_INFINITY;
  const held = stabilize(memory, {}, highest, recommended, nowMs);
  const stable: Limit =
    held === recommended
      ? ["ReadyForNewScale", "recommended size matches current size"]
      : [
          "ScaleDownStabilized",
          "recent recommendations were higher than current one, applying the highest recent recommendation",
        ];
  const rate = scaleUpLimit(current);
  const most = Math.min(max, rate);
  if (held < min) return { replicas: min, stable, limited: TOO_FEW };
  if (held <= most) return { replicas: held, stable };
  return { replicas: most, stable, limited: max > rate ? TOO_FAST : TOO_MANY };
}

const TOO_FEW: Limit = [
  "TooFewReplicas",
  "the desired replica count is less than the minimum replica count",
];
const TOO_MANY: Limit = [
  "TooManyReplicas",
  "the desired replica count is more than the maximum replica count",
];
const TOO_FAST: Limit = [
  "ScaleUpLimit",
  "the desired replica count is increasing faster than the maximum scale rate",
];

/** The lowest recent recommendation for up, the highest for down. */
function stabilize(
  { recommendations }: Memory,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  current: number,
  recommended: number,
  nowMs: number,
): number {
  const windowMs = (rules: HPAScalingRules | undefined, or: number) =>
    (rules?.stabilizationWindowSeconds ?? or) * 1000;
  const upFromMs = nowMs - windowMs(scaleUp, 0);
  const downFromMs = nowMs - windowMs(scaleDown, 300);
  let up = recommended;
  let down = recommended;
  for (const { atMs, replicas } of recommendations) {
    if (atMs > upFromMs) up = Math.min(up, replicas);
    if (atMs > downFromMs) down = Math.max(down, replicas);
  }
  const oldest = Math.min(upFromMs, downFromMs);
  const recent = recommendations.filter(({ atMs }) => atMs >= oldest);
  recommendations.splice(0, recommendations.length, ...recent);
  recommendations.push({ atMs: nowMs, replicas: recommended });
  return Math.min(Math.max(current, up), down);
}

function limit(
  memory: Memory,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  { min, max }: { readonly min: number; readonly max: number },
  current: number,
  desired: number,
  nowMs: number,
): [number, Limit | undefined] {
  if (desired > current) {
    const rate = Math.max(current, upLimit(memory, scaleUp, current, nowMs));
    const most = Math.min(max, rate);
    if (desired <= most) return [desired, undefined];
    const why: Limit = max > rate ? TOO_FAST : TOO_MANY;
    return [most, why];
  }
  if (desired < current) {
    const rate = Math.min(
      current,
      downLimit(memory, scaleDown, current, nowMs),
    );
    const least = Math.max(min, rate);
    if (desired >= least) return [desired, undefined];
    const why: Limit =
      min < rate
        ? [
            "ScaleDownLimit",
            "the desired replica count is decreasing faster than the maximum scale rate",
          ]
        : TOO_FEW;
    return [least, why];
  }
  return [desired, undefined];
}

/** Notes that the target was scaled. */
export function noteScaled(
  { ups, downs }: Memory,
  before: number,
  after: number,
  atMs: number,
): void {
  if (after > before) ups.push({ atMs, replicas: after - before });
  else if (after < before) downs.push({ atMs, replicas: before - after });
  for (const list of [ups, downs]) {
    // The longest period that a policy may have is half an hour.
    while (list[0] && list[0].atMs < atMs - 1_800_000) list.shift();
  }
}
