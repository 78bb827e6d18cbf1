import { describe, expect, it } from "vitest";
import type { PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { World } from "./world.ts";

const MIB = 2 ** 20;
const nodes = [{ memory: "1Gi", kubelet: { evictionHard: {} } }];

function taking(memory: string, request?: string): Partial<PodSpec> {
  const resources = request ? { requests: { memory: request } } : {};
  const command = ["stress", "--vm", "1", "--vm-bytes", memory];
  return { containers: [{ name: "app", image: "polinux/stress:1.0", command, resources }] };
}

async function worldOf(images: ImageDefinition[], ...pods: [string, Partial<PodSpec>][]) {
  const world = new World({ nodes, images });
  await world.run(2);
  for (const pod of pods) {
    await world.create(pod);
    await world.run(3);
  }
  return world;
}

const restarts = (world: World, name: string) =>
  world.pod(name)?.status?.containerStatuses?.[0]?.restartCount;

describe("a machine whose memory is used up", () => {
  it("kills by oom_score_adj: BestEffort before who asked, however little it takes", async () => {
    const world = await worldOf(
      [],
      ["effort", taking("200M")],
      ["asked", taking("500M", "500Mi")],
      ["late", taking("400M", "400Mi")],
    );
    await world.run(1);
    const ended = world.pod("effort")?.status?.containerStatuses?.[0];
    const { exitCode, reason } = (ended?.lastState ?? ended?.state)?.terminated ?? {};
    expect({ exitCode, reason }).toEqual({ exitCode: 137, reason: "OOMKilled" });
    expect([restarts(world, "asked"), restarts(world, "late")]).toEqual([0, 0]);
    expect(world.message("SystemOOM")).toMatch(
      /^System OOM encountered, victim process: stress, pid: \d+$/,
    );
  });

  it("kills who takes most among equals", async () => {
    const world = await worldOf([], ["small", taking("300M")], ["large", taking("800M")]);
    await world.run(1);
    expect(world.entries("container").map(({ subject }) => subject)).toContain("OOM kill app");
    expect(restarts(world, "small")).toBe(0);
    expect(restarts(world, "large")).toBe(1);
  });

  it("finds the moment when what grows is too much", async () => {
    const leak: ImageDefinition = { name: "leak", memoryGrowthBytesPerSecond: 100 * MIB };
    const containers = [{ name: "app", image: "leak:1" }];
    const world = await worldOf([leak], ["leak", { containers, restartPolicy: "Never" }]);
    await world.run(20);
    const ended = world.pod("leak")?.status?.containerStatuses?.[0]?.state?.terminated;
    expect(ended?.reason).toBe("OOMKilled");
    const [started, killed] = ["start app", "OOM kill app"].map(
      (what) => world.entries("container").find(({ subject }) => subject === what)!.atMs,
    );
    expect(killed! - started!).toBeCloseTo(10_240, 0);
  });

  it("kills nobody while there is enough", async () => {
    const world = await worldOf([], ["a", taking("400M")], ["b", taking("500M")]);
    await world.run(30);
    expect([restarts(world, "a"), restarts(world, "b")]).toEqual([0, 0]);
    expect(world.message("SystemOOM")).toBeUndefined();
  });
});
