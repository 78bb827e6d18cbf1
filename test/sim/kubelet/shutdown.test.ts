import { describe, expect, it } from "vitest";
import type { PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { createSession } from "../../../sim/src/index.ts";
import { groupOf, groupsOf } from "../../../sim/src/kubelet/shutdown.ts";
import { condition, podOf, World } from "./world.ts";

const SLOW: ImageDefinition = { name: "slow", stopMs: "never" };
const CRITICAL = { priorityClassName: "system-node-critical", priority: 2_000_001_000 };

function running(image: string, spec: Partial<PodSpec> = {}): Partial<PodSpec> {
  return { containers: [{ name: "app", image }], ...spec };
}

async function worldOf(kubelet: object, ...pods: [string, Partial<PodSpec>][]) {
  const world = new World({ nodes: [{ kubelet }], images: [SLOW] });
  await world.run(2);
  await world.create(...pods);
  await world.run(10);
  return world;
}

/** When a container ended, in ms. */
function endOf(world: World, name: string): number {
  const states = world.history.filter(({ pod }) => pod.metadata.name === name);
  const last = states.at(-1)!.pod;
  const at = last.status?.containerStatuses?.[0]?.state?.terminated?.finishedAt;
  return world.kernel.msOf(at!);
}

describe("a node that is shut down in good order", () => {
  const kubelet = { shutdownGracePeriod: "30s", shutdownGracePeriodCriticalPods: "10s" };

  it("ends its Pods first, says so, and lets none in", async () => {
    const world = await worldOf(
      kubelet,
      ["web", {}],
      ["deaf", running("slow:1")],
      ["dns", running("slow:1", CRITICAL)],
    );
    const from = world.kernel.now();
    world.cluster.shutDown("node/node-1");
    await world.run(1);
    const node = await world.node();
    expect(node.status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      status: "False",
      reason: "KubeletNotReady",
      message: "node is shutting down",
    });
    expect(world.message("NodeShutdown")).toBe("Shutdown manager detected shutdown event");
    await world.create(["late", {}]);
    await world.run(60);
    const text = "Pod was terminated in response to imminent node shutdown.";
    for (const name of ["deaf", "dns"]) {
      const { status } = world.pod(name) ?? {};
      expect(status).toMatchObject({ phase: "Failed", reason: "Terminated", message: text });
      expect(status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
        status: "True",
        reason: "TerminationByKubelet",
        message: text,
      });
    }
    // nginx ends well when it is told to.
    expect(world.pod("web")?.status).toMatchObject({ phase: "Succeeded", reason: "Terminated" });
    expect(world.pod("late")?.status).toMatchObject({
      phase: "Failed",
      reason: "NodeShutdown",
      message: "Pod was rejected: Pod was rejected as the node is shutting down.",
    });
    // 20 s for the usual Pods, then 10 s for the critical ones.
    expect(endOf(world, "deaf") - from).toBeGreaterThanOrEqual(19_000);
    expect(endOf(world, "deaf") - from).toBeLessThan(21_500);
    expect(endOf(world, "dns") - from).toBeGreaterThanOrEqual(29_000);
    expect(world.kernel.faults.stopped("kubelet/node-1")).toBe(true);
  });

  it("is off as soon as all have ended", async () => {
    const world = await worldOf(kubelet, ["web", {}]);
    const from = world.kernel.now();
    world.cluster.shutDown("node/node-1");
    await world.kernel.run({
      stopWhen: () => world.kernel.faults.stopped("kubelet/node-1"),
      untilMs: from + 60_000,
    });
    expect(world.kernel.now() - from).toBeLessThan(3000);
  });

  it("is off at once where the kubelet asks for no time, and comes back", async () => {
    const world = await worldOf({}, ["web", {}]);
    world.cluster.shutDown("node/node-1");
    await world.run(5);
    expect(world.pod()?.status?.phase).toBe("Running");
    expect(world.kernel.faults.stopped("kubelet/node-1")).toBe(true);
    world.cluster.startAgain("node/node-1");
    await world.run(15);
    const status = world.pod()?.status?.containerStatuses?.[0];
    expect(status?.restartCount).toBe(1);
    expect(status?.lastState?.terminated).toMatchObject({ exitCode: 255, reason: "Unknown" });
    expect(condition(world.pod(), "Ready")).toBe("True");
    const ready = (await world.node()).status?.conditions?.find(({ type }) => type === "Ready");
    expect(ready?.status).toBe("True");
  });

  it("is an input of a scenario", async () => {
    const session = createSession({
      seed: 1,
      scenario: {
        nodes: [{ name: "node-1", kubelet }],
        untilMs: 20_000,
        quietMs: 0,
        inputs: [{ atMs: 5_000, do: "shutdown", actor: "node/node-1" }],
      },
    });
    await session.run();
    expect(session.kernel.faults.stopped("kubelet/node-1")).toBe(true);
    const inputs = [...session.kernel.trace].filter(({ verb }) => verb === "input");
    expect(inputs.map(({ subject }) => subject)).toEqual(["shutdown node/node-1"]);
  });
});

describe("groups of a shutdown", () => {
  const seconds = (groups: ReturnType<typeof groupsOf>) =>
    groups.map((group) => [group.priority, group.shutdownGracePeriodSeconds]);

  it("are two, or by priority", () => {
    expect(groupsOf({})).toEqual([]);
    const both = { shutdownGracePeriod: "1m", shutdownGracePeriodCriticalPods: "15s" };
    expect(seconds(groupsOf(both))).toEqual([
      [0, 45],
      [2_000_000_000, 15],
    ]);
    const groups = groupsOf({
      shutdownGracePeriodByPodPriority: [
        { priority: 1000, shutdownGracePeriodSeconds: 3 },
        { priority: 10, shutdownGracePeriodSeconds: 5 },
      ],
    });
    const of = (priority: number) => groupOf(groups, podOf("web", { priority }))?.priority;
    expect([0, 10, 999, 1000, 5000].map(of)).toEqual([10, 10, 10, 1000, 1000]);
  });
});
