/** Laws of the scheduler, over random clusters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Node } from "../../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { labelSelector } from "../../../sim/src/api/selector.ts";
import { PodInfo } from "../../../sim/src/scheduler/cache/pod-info.ts";
import type { Cycle } from "../../../sim/src/scheduler/cycle.ts";
import { nodesToFind } from "../../../sim/src/scheduler/find-nodes.ts";
import { fits } from "../../../sim/src/scheduler/plugins/node-resources-fit.ts";
import { prioritize } from "../../../sim/src/scheduler/prioritize.ts";
import { defaultProfile } from "../../../sim/src/scheduler/profile.ts";
import { worldOf } from "../../vectors-harness/scheduler-world.ts";
import { nodeOf, podOf } from "./objects.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const app = fc.constantFrom("web", "db", "cache");
const topologyKey = fc.constantFrom(ZONE, HOST);

const nodes: fc.Arbitrary<Node[]> = fc
  .array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 8 }),
      memory: fc.integer({ min: 1, max: 16 }),
      pods: fc.integer({ min: 1, max: 6 }),
      zone: fc.option(fc.constantFrom("a", "b", "c")),
      effect: fc.option(fc.constantFrom("NoSchedule", "PreferNoSchedule", "NoExecute")),
      unschedulable: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ cpu, memory, pods, zone, effect, unschedulable }, i) =>
      nodeOf(`n${i}`, {
        ...{ cpu: `${cpu}`, memory: `${memory}Gi`, pods: `${pods}`, unschedulable },
        labels: zone ? { [ZONE]: zone } : {},
        taints: effect ? [{ key: "t", effect }] : [],
      }),
    ),
  );

const term = fc.record({ app, topologyKey }).map(({ app: wanted, topologyKey: key }) => ({
  labelSelector: { matchLabels: { app: wanted } },
  topologyKey: key,
}));

const spec: fc.Arbitrary<Partial<Pod["spec"]>> = fc.record(
  {
    tolerations: fc.constant([{ key: "t", operator: "Exists" }]),
    nodeSelector: fc.constantFrom("a", "b").map((zone) => ({ [ZONE]: zone })),
    topologySpreadConstraints: fc
      .record({ app, topologyKey, hard: fc.boolean(), maxSkew: fc.integer({ min: 1, max: 3 }) })
      .map(({ app: wanted, hard, ...rest }) => [
        {
          ...rest,
          whenUnsatisfiable: hard ? "DoNotSchedule" : "ScheduleAnyway",
          labelSelector: { matchLabels: { app: wanted } },
        },
      ]),
    affinity: fc.oneof(
      term.map((one) => ({
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [one] },
      })),
      term.map((one) => ({
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [one] },
      })),
      fc.record({ podAffinityTerm: term, weight: fc.integer({ min: 1, max: 100 }) }).map((one) => ({
        podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [one] },
      })),
      fc.record({ podAffinityTerm: term, weight: fc.integer({ min: 1, max: 100 }) }).map((one) => ({
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [one] },
      })),
    ),
  },
  { requiredKeys: [] },
);

const pods: fc.Arbitrary<Pod[]> = fc
  .array(
    fc.record({
      cpu: fc.integer({ min: 0, max: 4000 }),
      memory: fc.integer({ min: 0, max: 4096 }),
      app,
      spec,
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ cpu, memory, app: label, spec: more }, i) => {
      const pod = podOf(`p${i}`, {
        cpu: cpu ? `${cpu}m` : undefined,
        memory: memory ? `${memory}Mi` : undefined,
        labels: { app: label },
        spec: more,
      });
      return { ...pod, metadata: { ...pod.metadata, uid: `p${i}` } };
    }),
  );

/** Places Pods one after another, each on its best Node. */
function placeAll(someNodes: Node[], somePods: Pod[], visit: (cycle: Cycle) => void) {
  const world = worldOf(defaultProfile, someNodes, []);
  const cache = world.cache;
  for (const pod of somePods) {
    const cycle = world.cycleFor(pod);
    if (world.runtime.preFilter(cycle)) continue;
    visit(cycle);
    const feasible = cache.nodes.filter((node) => world.runtime.filter(cycle, node) === null);
    if (feasible.length === 0) continue;
    const { totals } = prioritize(world.runtime, cycle, feasible);
    const best = totals.indexOf(Math.max(...totals));
    cache.assume(cycle.pod, feasible[best]?.name ?? "");
  }
  return { world, cache };
}

describe("laws of the scheduler", () => {
  it("never gives a Node more than it has", () => {
    fc.assert(
      fc.property(nodes, pods, (someNodes, somePods) => {
        const { cache } = placeAll(someNodes, somePods, () => {});
        for (const { allocatable, requested, pods: here } of cache.nodes) {
          expect(requested.cpuMilli).toBeLessThanOrEqual(allocatable.cpuMilli);
          expect(requested.memoryBytes).toBeLessThanOrEqual(allocatable.memoryBytes);
          expect(here.length).toBeLessThanOrEqual(allocatable.pods);
        }
      }),
    );
  });

  it("finds the same Nodes in whatever order the filters run", () => {
    fc.assert(
      fc.property(nodes, pods, (someNodes, somePods) => {
        placeAll(someNodes, somePods, (cycle) => {
          const fitting = (order: Cycle["filters"]) =>
            cycle.snapshot.nodes
              .filter((node) =>
                order.every(({ plugin, state }) => !plugin.filter?.(node, cycle.pod, state)),
              )
              .map(({ name }) => name);
          expect(fitting(cycle.filters.toReversed())).toEqual(fitting(cycle.filters));
        });
      }),
    );
  });

  it("scores between 0 and 100 times the weight, in whole numbers", () => {
    fc.assert(
      fc.property(nodes, pods, (someNodes, somePods) => {
        const { world, cache } = placeAll(someNodes, somePods, () => {});
        const weights = new Map(
          world.runtime.scorers.map(({ plugin, weight }) => [plugin.name, weight]),
        );
        for (const pod of somePods) {
          const { parts } = prioritize(world.runtime, world.cycleFor(pod), cache.nodes);
          for (const { plugin, scores } of parts) {
            const list = typeof scores === "number" ? [scores] : [...scores];
            for (const score of list) {
              expect(score).toBeGreaterThanOrEqual(0);
              expect(score).toBeLessThanOrEqual(100 * (weights.get(plugin) ?? 0));
              expect(Number.isInteger(score)).toBe(true);
            }
          }
        }
      }),
    );
  });

  it("is back where it was after a Pod was assumed and forgotten", () => {
    fc.assert(
      fc.property(nodes, pods, (someNodes, somePods) => {
        const { cache } = worldOf(defaultProfile, someNodes, []);
        const before = JSON.stringify(cache.nodes.map(({ requested }) => requested));
        const infos = somePods.map((pod) => new PodInfo(pod));
        for (const info of infos) cache.assume(info, "n0");
        for (const info of infos) cache.forget(info);
        expect(JSON.stringify(cache.nodes.map(({ requested }) => requested))).toBe(before);
      }),
    );
  });

  it("fits a Pod that asks for nothing as long as there is a place", () => {
    fc.assert(
      fc.property(nodes, (someNodes) => {
        const { cache } = worldOf(defaultProfile, someNodes, []);
        for (const node of cache.nodes) {
          expect(fits(node, new PodInfo(podOf("p")))).toBeNull();
        }
      }),
    );
  });

  it("counts kept over changes what counting anew gives", () => {
    fc.assert(
      fc.property(nodes, pods, fc.array(fc.nat(11)), (someNodes, somePods, gone) => {
        const kept = worldOf(defaultProfile, someNodes, []).cache;
        const selector = { matchLabels: { app: "web" } };
        const count = (cache: typeof kept) => {
          const topology = cache.topology(ZONE);
          const sums = cache.counts.byDomain("default", labelSelector(selector), topology);
          return cache.nodes.map(({ row, name }) => [
            name,
            cache.counts.byNode("default", labelSelector(selector))[row] ?? 0,
            sums[topology.domainOf[row] ?? 0] ?? 0,
          ]);
        };
        count(kept);
        const where = (i: number) => `n${i % someNodes.length}`;
        for (const [i, pod] of somePods.entries()) kept.setPod(new PodInfo(pod), where(i));
        for (const i of gone) kept.removePod(`p${i}`);
        const left = somePods.filter((_, i) => !gone.includes(i));
        const anew = worldOf(defaultProfile, someNodes, []).cache;
        for (const pod of left) anew.setPod(new PodInfo(pod), where(somePods.indexOf(pod)));
        expect(count(kept)).toEqual(count(anew));
      }),
    );
  });

  it("looks for enough Nodes: all below 100, then 50 % down to 5 %", () => {
    expect([0, 1, 99, 100, 125, 1000, 5000, 6000, 15000].map((n) => nodesToFind(n))).toEqual([
      0, 1, 99, 100, 100, 420, 500, 300, 750,
    ]);
    expect(nodesToFind(5000, 100)).toBe(5000);
  });
});
