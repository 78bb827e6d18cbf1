/** When a worker comes back to its Pod after a sync that failed: completeWork of pod_workers.go. */
import { describe, expect, it } from "vitest";
import { World } from "./world.ts";

const crashing = { name: "app", image: "busybox:1.36", command: ["false"] };
const missing = { name: "app", image: "nginx:no-such-tag" };

/** Seconds between neighbours. */
function gaps(world: World, verb: string, after = 0): number[] {
  const times = world
    .entries(verb)
    .map(({ atMs }) => atMs / 1000)
    .filter((at) => at > after);
  return times.slice(1).map((at, i) => at - times[i]!);
}

describe("a Pod whose sync has failed", () => {
  it("is looked at when its back-off is over, at least once in 90 s, and a little later by chance", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", { containers: [crashing] }]);
    await world.run(700);
    const starts = world.entries("container").filter(({ subject }) => subject === "start app");
    const waits = starts.slice(1).map(({ atMs }, i) => (atMs - starts[i]!.atMs) / 1000);
    const least = [0, 10, 20, 40, 80, 160];
    expect(waits.length).toBeGreaterThanOrEqual(least.length);
    for (const [i, wait] of least.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(wait);
      expect(waits[i]).toBeLessThan(wait * 1.5 + 3);
    }
    expect(waits.slice(1, 4).some((wait, i) => wait > least[i + 1]! * 1.05)).toBe(true);
    const syncs = gaps(world, "sync-pod", 200);
    expect(Math.max(...syncs)).toBeLessThanOrEqual(90);
    // Whoever is in the middle of a long wait is looked at once a minute or so.
    expect(syncs.filter((gap) => gap >= 60).length).toBeGreaterThan(2);
  });

  it("is looked at every 10 to 15 s where no container has crashed, and then finds that the pull may begin", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", { containers: [missing] }]);
    await world.run(120);
    const tried = gaps(world, "image");
    const least = [10, 20, 40];
    expect(tried.length).toBeGreaterThanOrEqual(least.length);
    for (const [i, wait] of least.entries()) {
      expect(tried[i]).toBeGreaterThanOrEqual(wait);
      expect(tried[i]).toBeLessThan(wait + 16);
    }
    const syncs = gaps(world, "sync-pod", 20).filter((gap) => gap > 2);
    for (const gap of syncs) {
      expect(gap).toBeGreaterThanOrEqual(10);
      expect(gap).toBeLessThanOrEqual(15);
    }
    expect(syncs.length).toBeGreaterThan(4);
  });
});
