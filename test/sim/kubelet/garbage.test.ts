import { describe, expect, it } from "vitest";
import { Pod, type PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import type { KubeletConfiguration } from "../../../sim/src/kubelet/settings.ts";
import { World } from "./world.ts";

const GIB = 2 ** 30;

function running(image: string): Partial<PodSpec> {
  return { containers: [{ name: "app", image }] };
}

function imagesOf({ cluster }: World): string[] {
  const { images } = cluster.hosts[0]!.runtime.core;
  return images.references();
}

describe("dead containers", () => {
  it("of a Pod that crashes: the newest one stays beside the running one", async () => {
    const world = new World();
    await world.run(2);
    const command = ["sh", "-c", "sleep 1; exit 1"];
    await world.create(["web", { containers: [{ name: "app", image: "busybox:1.36", command }] }]);
    await world.run(45);
    expect(world.pod()?.status?.containerStatuses?.[0]?.restartCount).toBe(3);
    const { core } = world.cluster.hosts[0]!.runtime;
    expect([...core.containers.values()].map(({ state }) => state)).toEqual(["CONTAINER_EXITED"]);
    const removed = world.entries("cri").filter(({ subject }) => subject === "RemoveContainer");
    expect(removed).toHaveLength(3);
    // What is known of the last end comes from the one that stays.
    expect(world.pod()?.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode).toBe(1);
  });

  it("of a Pod that is gone: all of them, then the sandbox, at the full minute", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(62);
    const { core } = world.cluster.hosts[0]!.runtime;
    expect([core.containers.size, core.sandboxes.size]).toEqual([0, 0]);
    const calls = world.entries("cri").map(({ subject }) => subject);
    const from = calls.lastIndexOf("RemoveContainer");
    expect(calls.slice(from).filter((call) => /Remove|Stop/.test(call))).toEqual([
      "RemoveContainer",
      "StopPodSandbox",
      "RemovePodSandbox",
    ]);
  });

  it("takes a dead sandbox along once no container of it is kept", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const { runtime } = world.cluster.hosts[0]!;
    const newest = () => [...runtime.core.sandboxes.keys()].at(-1)!;
    for (let i = 0; i < 2; i++) {
      await world.do(() => runtime.stopPodSandbox({ pod_sandbox_id: newest() }));
      await world.run(15);
    }
    const states = () => [...runtime.core.sandboxes.values()].map(({ state }) => state);
    expect(states()).toEqual(["SANDBOX_NOTREADY", "SANDBOX_NOTREADY", "SANDBOX_READY"]);
    await world.run(60);
    // The second one has the container that ended last.
    expect(states()).toEqual(["SANDBOX_NOTREADY", "SANDBOX_READY"]);
  });

  it("says if it cannot", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(5);
    world.cluster.stop("containerd/node-1");
    await world.run(60);
    expect(world.message("ContainerGCFailed")).toMatch(/^rpc error: code = Unavailable/);
  });
});

describe("images that nobody uses", () => {
  const images: ImageDefinition[] = ["a", "b", "c"].map((name) => {
    return { name, sizeBytes: Math.floor(0.3 * GIB), ports: [] };
  });

  /** Runs a and b and deletes them, then runs c. */
  async function worldWith(kubelet: KubeletConfiguration): Promise<World> {
    const evictionHard = {};
    const nodes = [{ imageDisk: "1Gi", kubelet: { evictionHard, ...kubelet } }];
    const world = new World({ nodes, images });
    await world.run(2);
    await world.create(["a", running("a:1")]);
    await world.run(30);
    await world.create(["b", running("b:1")], ["c", running("c:1")]);
    await world.run(200);
    for (const name of ["a", "b"]) await world.do((c) => c.delete(Pod, "default", name));
    await world.run(30);
    return world;
  }

  const has = (world: World) => imagesOf(world).filter((name) => /\/[abc]:/.test(name));

  it("go when the disk is too full, the longest unused first, until it is not", async () => {
    const world = await worldWith({ imageGCHighThresholdPercent: 85 });
    // At 5 minutes they are seen for the first time: too young.
    await world.run(120);
    expect(has(world)).toHaveLength(3);
    await world.run(300);
    expect(has(world)).toEqual(["docker.io/library/b:1", "docker.io/library/c:1"]);
    const gone = world.entries("image").filter(({ subject }) => subject.startsWith("remove"));
    expect(gone.map(({ subject }) => subject)).toEqual(["remove docker.io/library/a:1"]);
    const { images } = (await world.node()).status ?? {};
    expect(images?.some(({ names }) => names?.includes("docker.io/library/a:1"))).toBe(false);
  });

  it("stay while the disk is not too full", async () => {
    const world = await worldWith({ imageGCHighThresholdPercent: 95 });
    await world.run(700);
    expect(has(world)).toHaveLength(3);
  });

  it("go in any case once they are too old", async () => {
    const world = await worldWith({ imageGCHighThresholdPercent: 95, imageMaximumGCAge: "6m" });
    await world.run(1200);
    expect(has(world)).toEqual(["docker.io/library/c:1"]);
  });

  it("are not enough: the node says so, and the second time that collecting fails", async () => {
    const kubelet = { imageGCHighThresholdPercent: 40, imageGCLowThresholdPercent: 10 };
    const world = await worldWith(kubelet);
    await world.run(120);
    const text =
      /^Failed to garbage collect required amount of images\. Attempted to free \d+ bytes, but only found 0 bytes eligible to free\.$/;
    expect(world.message("FreeDiskSpaceFailed")).toMatch(text);
    expect(world.message("ImageGCFailed")).toBeUndefined();
    await world.run(300);
    expect(has(world)).toEqual(["docker.io/library/c:1"]);
    expect(world.message("ImageGCFailed")).toMatch(/but only found 644245094 bytes eligible/);
  });

  it("go before Pods when the node is short of disk", async () => {
    const evictionHard = { "imagefs.available": "15%" };
    const world = await worldWith({ evictionHard, imageMinimumGCAge: "0s" });
    await world.run(20);
    expect(world.message("EvictionThresholdMet")).toBe("Attempting to reclaim ephemeral-storage");
    // Without a that is enough.
    expect(has(world)).toEqual(["docker.io/library/b:1", "docker.io/library/c:1"]);
    expect(world.pod("c")?.status?.phase).toBe("Running");
  });
});
