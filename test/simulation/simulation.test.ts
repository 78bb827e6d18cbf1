/** Seeded workloads and faults on whole clusters: safe at every write, and at rest soon after the last fault. */
import { describe, expect, it } from "vitest";
import { planOf } from "./plan.ts";
import { simulate } from "./run.ts";
import { FAILED_ONCE } from "./seeds.ts";

/** Seeds of a run in CI; `npm run simulate` runs as many as one likes. */
const SEEDS = Array.from({ length: 40 }, (_, i) => 1_001 + i);

async function broken(seed: number): Promise<string | undefined> {
  const { failure } = await simulate(seed);
  if (!failure) return undefined;
  const until = Math.ceil(failure.atMs / 1000);
  return `npm run simulate -- --seed ${seed} --until ${until}: ${failure.message}`;
}

describe("simulation", () => {
  it("keeps its laws with every seed", { timeout: 180_000 }, async () => {
    for (const seed of SEEDS) expect(await broken(seed)).toBeUndefined();
  });

  it.each(FAILED_ONCE)("keeps its laws with seed $seed: $why", async ({ seed }) => {
    expect(await broken(seed)).toBeUndefined();
  });

  it("plans the same for a seed again, and something else for another", () => {
    expect(planOf(5)).toEqual(planOf(5));
    expect(planOf(6).inputs).not.toEqual(planOf(5).inputs);
  });

  it("varies what it does: faults of all kinds, one and several control planes", () => {
    const plans = SEEDS.map(planOf);
    const does = new Set(plans.flatMap(({ inputs }) => inputs.map((input) => input.do)));
    expect([...does].sort()).toEqual([
      "apply",
      "heal",
      "kubectl",
      "partition",
      "slow",
      "start",
      "stop",
    ]);
    expect(new Set(plans.map(({ scenario }) => scenario.controlPlanes))).toEqual(new Set([1, 3]));
    expect(new Set(plans.map(({ disruptive }) => disruptive))).toEqual(new Set([true, false]));
  });

  it("ends every fault before the calm begins", () => {
    for (const { inputs } of SEEDS.map(planOf)) {
      const count = (what: string) => inputs.filter((input) => input.do === what).length;
      expect(count("stop")).toBe(count("start"));
      expect(count("partition")).toBe(count("heal"));
    }
  });
});
