/** Autoscalers: tolerance, stabilization and policies. */
import { describe, expect, it } from "vitest";
import { Deployment } from "../../../sim/src/api/kinds/deployment.ts";
import { HorizontalPodAutoscaler } from "../../../sim/src/api/kinds/horizontalpodautoscaler.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from "../../../sim/src/api/kinds/types/policy.ts";
import { decide, newMemory, noteScaled } from "../../../sim/src/controllers/hpa/behavior.ts";
import { NO_METRICS } from "../../../sim/src/controllers/hpa/metrics.ts";
import { tolerancesOf } from "../../../sim/src/controllers/hpa/tolerance.ts";
import { runPods, testCluster } from "./cluster.ts";

const SECOND = 1_000;
const FREE: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 900, periodSeconds: 15 }],
};

/** Runs decisions of one autoscaler in a row: [second, recommended] → the size after each. */
function sizes(
  behavior: HorizontalPodAutoscalerBehavior,
  start: number,
  steps: readonly (readonly [second: number, recommended: number])[],
): number[] {
  const memory = newMemory(start, 0);
  let current = start;
  return steps.map(([second, recommended]) => {
    const now = second * SECOND;
    const range = { min: 1, max: 100 };
    const { replicas } = decide(memory, behavior, range, current, recommended, now);
    noteScaled(memory, current, replicas, now);
    current = replicas;
    return current;
  });
}

const up = (more: Partial<HPAScalingRules>) => ({ scaleUp: { ...FREE, ...more }, scaleDown: FREE });
const down = (more: Partial<HPAScalingRules>) => ({
  scaleUp: FREE,
  scaleDown: { ...FREE, ...more },
});

describe("the behavior of an autoscaler", () => {
  it("goes up by the lowest, down by the highest recommendation of its window", () => {
    const slowUp = up({ stabilizationWindowSeconds: 60 });
    const rising = [
      [15, 8],
      [30, 6],
      [61, 9],
      [76, 9],
      [100, 9],
    ] as const;
    expect(sizes(slowUp, 4, rising)).toEqual([4, 4, 6, 6, 9]);
    const slowDown = down({ stabilizationWindowSeconds: 60 });
    const falling = [
      [15, 5],
      [30, 7],
      [61, 2],
      [76, 2],
      [100, 2],
    ] as const;
    expect(sizes(slowDown, 10, falling)).toEqual([10, 10, 7, 7, 2]);
  });

  it("goes no further in a period than its policies let it", () => {
    const policies = [{ type: "Pods", value: 2, periodSeconds: 60 }];
    const steps = [
      [15, 20],
      [30, 20],
      [74, 20],
      [76, 20],
      [91, 20],
    ] as const;
    expect(sizes(up({ policies }), 4, steps)).toEqual([6, 6, 6, 8, 8]);
    const less = [
      [15, 1],
      [30, 1],
      [74, 1],
      [76, 1],
      [91, 1],
    ] as const;
    expect(sizes(down({ policies }), 10, less)).toEqual([8, 8, 8, 6, 6]);
  });

  it("takes the policy of the greatest change, or of the least, or none", () => {
    const policies = [
      { type: "Pods", value: 3, periodSeconds: 15 },
      { type: "Percent", value: 50, periodSeconds: 15 },
    ];
    const once = [[15, 50]] as const;
    expect(sizes(up({ policies }), 10, once)).toEqual([15]);
    expect(sizes(up({ policies, selectPolicy: "Min" }), 10, once)).toEqual([13]);
    expect(sizes(up({ policies, selectPolicy: "Disabled" }), 10, once)).toEqual([10]);
    const less = [[15, 1]] as const;
    expect(sizes(down({ policies }), 10, less)).toEqual([5]);
    expect(sizes(down({ policies, selectPolicy: "Min" }), 10, less)).toEqual([7]);
    expect(sizes(down({ policies, selectPolicy: "Disabled" }), 10, less)).toEqual([10]);
  });

  it("rounds a percentage of growth up, of shrinking down to whole Pods", () => {
    const policies = [{ type: "Percent", value: 10, periodSeconds: 15 }];
    expect(sizes(up({ policies }), 3, [[15, 50]])).toEqual([4]);
    expect(sizes(down({ policies }), 3, [[15, 1]])).toEqual([2]);
  });
});

async function autoscaled(behavior: HorizontalPodAutoscalerBehavior | undefined, milli: number) {
  const cluster = testCluster();
  const names: string[] = [];
  const podResource = () => {
    const sample = { milli, atMs: cluster.kernel.now(), windowMs: 15_000 };
    return new Map(names.map((name) => [name, sample]));
  };
  const controllers = ["*", "-node-lifecycle-controller"];
  cluster.start({ metrics: { ...NO_METRICS, podResource }, controllers });
  const resources = { requests: { cpu: "1000m" } };
  await cluster.make(Deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 10,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "x", resources }] },
      },
    },
  });
  await cluster.run(2_000);
  await runPods(cluster);
  for (const { metadata } of await cluster.list(Pod)) names.push(metadata.name);
  await cluster.run(400_000); // CPU of a starting Pod says nothing.
  await cluster.make(HorizontalPodAutoscaler, {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", namespace: "default" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 20,
      behavior,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 100 } },
        },
      ],
    },
  });
  await cluster.run(40_000);
  return (await cluster.read(Deployment, "web")).spec.replicas;
}

describe("the tolerance of an autoscaler", () => {
  it("is a tenth, unless its behavior says another, for up and down apart", () => {
    const spec = { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 9 };
    expect(tolerancesOf({ spec })).toEqual({ up: 0.1, down: 0.1 });
    const behavior = { scaleUp: { tolerance: "50m" }, scaleDown: { tolerance: "0" } };
    expect(tolerancesOf({ spec: { ...spec, behavior } })).toEqual({ up: 0.05, down: 0 });
  });

  it("decides whether a small excess changes anything", async () => {
    expect(await autoscaled(undefined, 1_060)).toBe(10);
    expect(await autoscaled({ scaleUp: { tolerance: "0.05" } }, 1_060)).toBe(11);
    expect(await autoscaled({ scaleDown: { tolerance: "0.05" } }, 1_060)).toBe(10);
  });

  it("must not be below 0", async () => {
    await expect(autoscaled({ scaleUp: { tolerance: "-0.1" } }, 1_000)).rejects.toThrow(
      'spec.behavior.scaleUp.tolerance: Invalid value: "-100m": must be greater than or equal to 0',
    );
  });
});
