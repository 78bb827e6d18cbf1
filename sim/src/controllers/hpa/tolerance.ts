/**
 * How far a measurement may be off its target without a change: a tenth, or
 * what `behavior` says, for up and down apart.
 * Models: pkg/controller/podautoscaler/horizontal.go (tolerancesForHpa) @ v1.36
 */
import type { HPAScalingRules } from "../../api/kinds/types/policy.ts";
import { parseQuantity, scaledValue } from "../../api/quantity.ts";
import type { Autoscaler } from "./context.ts";
import { DEFAULT_TOLERANCE, type Tolerance } from "./replicas.ts";

export function tolerancesOf({ spec }: Pick<Autoscaler, "spec">): Tolerance {
  const { scaleUp, scaleDown } = spec.behavior ?? {};
  return {
    up: toleranceIn(scaleUp) ?? DEFAULT_TOLERANCE.up,
    down: toleranceIn(scaleDown) ?? DEFAULT_TOLERANCE.down,
  };
}

const NANO = -9;

/** `0.05`, `50m`: as a number. */
function toleranceIn(rules: HPAScalingRules | undefined): number | undefined {
  if (rules?.tolerance === undefined) return undefined;
  return Number(scaledValue(parseQuantity(rules.tolerance), NANO)) / 1e9;
}
