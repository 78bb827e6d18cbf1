/** Seeded workloads and faults on whole clusters: safe at every write, and at rest soon after the last fault. */
import { describe, expect, it } from "vitest";
import { planOf } from "./plan.ts";
import { simulate } from "./run.ts";
import { FAILED_ONCE } from "./seeds.ts";

/** Seeds of a run in CI; `npm run simulate` runs as many as one likes. */
const SEEDS = Array.from({ length: 300 }, (_, i) => 1_001 + i);

/** What is at work in some seed or other. */
const KINDS = [
  ...["Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Service"],
  ...["PodDisruptionBudget", "HorizontalPodAutoscaler", "ResourceQuota"],
];

async function broken(seed: number, narrow = false): Promise<string | undefined> {
  const { failure } = await simulate(seed, { narrow });
  if (!failure) return undefined;
  const until = Math.ceil(failure.atMs / 1000);
  const again = `--seed ${seed} --until ${until}${narrow ? " --narrow" : ""}`;
  return `npm run simulate -- ${again}: ${failure.message}`;
}

describe("simulation", () => {
  it("keeps its laws with every seed", { timeout: 600_000 }, async () => {
    for (const seed of SEEDS) expect(await broken(seed)).toBeUndefined();
  });

  it.each(FAILED_ONCE)("keeps its laws with seed $seed: $why", async ({ seed, narrow }) => {
    expect(await broken(seed, narrow)).toBeUndefined();
  });

  it("plans the same for a seed again, and something else for another", () => {
    expect(planOf(5)).toEqual(planOf(5));
    expect(planOf(6).inputs).not.toEqual(planOf(5).inputs);
  });

  it("varies what it does: faults of all kinds, one and several control planes", () => {
    const plans = SEEDS.map((seed) => planOf(seed));
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
    const each = (of: (plan: (typeof plans)[number]) => unknown) => new Set(plans.map(of));
    expect(each(({ scenario }) => scenario.controlPlanes)).toEqual(new Set([1, 3]));
    expect(each(({ scenario }) => scenario.etcdMembers)).toEqual(new Set([1, 3, 5]));
    expect(each(({ scenario }) => scenario.storage)).toEqual(new Set([true, false]));
    expect(each(({ skewMs }) => skewMs > 100_000)).toEqual(new Set([true, false]));
    const calm = each(({ calmMs }) => calmMs);
    expect([70_000, 480_000].every((ms) => calm.has(ms))).toBe(true);
    const text = plans.flatMap(({ inputs }) => inputs.map((input) => JSON.stringify(input))).join();
    for (const kind of KINDS) expect(text).toContain(`kind: ${kind}\\n`);
    expect(new Set(plans.map(({ disruptive }) => disruptive))).toEqual(new Set([true, false]));
  });

  it("ends every fault before the calm begins", () => {
    for (const { inputs } of SEEDS.map((seed) => planOf(seed))) {
      const count = (what: string) => inputs.filter((input) => input.do === what).length;
      expect(count("stop")).toBe(count("start"));
      expect(count("partition")).toBe(count("heal"));
    }
  });
});
