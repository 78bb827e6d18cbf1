/** A reader's own plugin beside the default ones. */
import { describe, expect, it } from "vitest";
import { Kernel, Random } from "../../../sim/src/kernel/index.ts";
import type { Plugin } from "../../../sim/src/scheduler/framework.ts";
import { pickHighest, prioritize } from "../../../sim/src/scheduler/prioritize.ts";
import { defaultProfile, type ProfileEntry } from "../../../sim/src/scheduler/profile.ts";
import { status } from "../../../sim/src/scheduler/status.ts";
import { worldOf } from "../../vectors-harness/scheduler-world.ts";
import { nodeOf, podOf } from "./objects.ts";

/** Likes long names. */
const longNames: Plugin = {
  name: "LongNames",
  score: (node) => node.name.length,
};

/** Keeps Pods off Nodes whose name begins with "x". */
const noX: Plugin = {
  name: "NoX",
  filter: (node) =>
    node.name.startsWith("x") ? status("NoX", "Unschedulable", "begins with x") : null,
};

const nodes = ["n1", "n2-long-name", "x1-the-longest-name"].map((name) => nodeOf(name));

function chosenWith(...own: ProfileEntry[]) {
  const profile = { ...defaultProfile, plugins: [...defaultProfile.plugins, ...own] };
  const { runtime, cycleFor, cache } = worldOf(profile, nodes, []);
  const cycle = cycleFor(podOf("web"));
  runtime.preFilter(cycle);
  const feasible = cache.nodes.filter((node) => runtime.filter(cycle, node) === null);
  const { totals } = prioritize(runtime, cycle, feasible);
  return feasible[pickHighest(totals, new Random(1))]?.name;
}

describe("a profile", () => {
  it("takes a score plugin of the reader's", () => {
    expect(chosenWith({ make: () => longNames, weight: 1 })).toBe("x1-the-longest-name");
  });

  it("takes a filter plugin of the reader's", () => {
    const own = [longNames, noX].map((plugin) => ({ make: () => plugin, weight: 1 }));
    expect(chosenWith(...own)).toBe("n2-long-name");
  });

  it("breaks ties by chance, but by the same chance for the same seed", () => {
    const totals = new Float64Array([1, 7, 3, 7, 7]);
    const picks = (seed: number) => {
      const { random } = new Kernel({ seed });
      return Array.from({ length: 60 }, () => pickHighest(totals, random));
    };
    expect(new Set(picks(1))).toEqual(new Set([1, 3, 4]));
    expect(picks(1)).toEqual(picks(1));
    expect(picks(1)).not.toEqual(picks(2));
  });
});
