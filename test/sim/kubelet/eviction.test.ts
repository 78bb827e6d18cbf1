import { describe, expect, it } from "vitest";
import type { Pod, PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { rank } from "../../../sim/src/kubelet/eviction/rank.ts";
import type { PodUsage } from "../../../sim/src/kubelet/eviction/stats.ts";
import { thresholdsOf } from "../../../sim/src/kubelet/eviction/thresholds.ts";
import { Watch } from "../../../sim/src/kubelet/eviction/watch.ts";
import { condition, podOf, World, type WorldOptions } from "./world.ts";

const MIB = 2 ** 20;

function taking(memory: string, request?: string): Partial<PodSpec> {
  const resources = request ? { requests: { memory: request } } : {};
  const command = ["stress", "--vm", "1", "--vm-bytes", memory];
  const image = "polinux/stress:1.0";
  return { containers: [{ name: "app", image, command, resources }] };
}

function running(image: string, spec: Partial<PodSpec> = {}): Partial<PodSpec> {
  return { containers: [{ name: "app", image }], ...spec };
}

async function worldOf(options: WorldOptions, ...pods: [string, Partial<PodSpec>][]) {
  const world = new World(options);
  await world.run(2);
  await world.create(...pods);
  return world;
}

async function conditionOf(world: World, type: string) {
  const { status } = await world.node();
  return status?.conditions?.find((one) => one.type === type);
}

describe("a node that runs short of memory", () => {
  const nodes = [{ memory: "512Mi" }];

  it("evicts the Pod that takes most beyond its request, in upstream's words", async () => {
    const world = await worldOf(
      { nodes },
      ["modest", taking("200M", "200Mi")],
      ["greedy", taking("250M", "50Mi")],
    );
    await world.run(15);
    const { phase, reason, message, conditions } = world.pod("greedy")?.status ?? {};
    expect({ phase, reason }).toEqual({ phase: "Failed", reason: "Evicted" });
    const text =
      "The node was low on resource: memory. Threshold quantity: 100Mi, available: 62Mi. " +
      "Container app was using 250Mi, request is 50Mi, has larger consumption of memory. ";
    expect(message).toBe(text);
    expect(world.message("Evicted")).toBe(text);
    const why = conditions?.find(({ type }) => type === "DisruptionTarget");
    expect(why).toMatchObject({ status: "True", reason: "TerminationByKubelet", message: text });
    expect(world.message("EvictionThresholdMet")).toBe("Attempting to reclaim memory");
    expect(world.pod("modest")?.status?.phase).toBe("Running");
    const event = world.events.find((one) => one.reason === "Evicted");
    expect(event?.metadata.annotations).toEqual({
      offending_containers: "app",
      offending_containers_usage: "250Mi",
      starved_resource: "memory",
    });
  });

  it("is Failed only once nothing of it runs, and gives it two seconds at most", async () => {
    const deaf: ImageDefinition = { name: "deaf", memoryBytes: 450 * MIB, stopMs: "never" };
    const world = await worldOf({ nodes, images: [deaf] }, ["web", running("deaf:1")]);
    await world.run(30);
    const states = world.history.filter(({ pod }) => pod.metadata.name === "web");
    const told = states.find(({ pod }) => condition(pod, "DisruptionTarget") === "True")!;
    expect(told.pod.status?.phase).toBe("Running");
    const failed = states.find(({ pod }) => pod.status?.phase === "Failed")!;
    expect(failed.pod.status?.reason).toBe("Evicted");
    expect(failed.atMs - told.atMs).toBeGreaterThan(1900);
    expect(failed.atMs - told.atMs).toBeLessThan(3000);
    const ended = failed.pod.status?.containerStatuses?.[0]?.state?.terminated;
    expect(ended?.exitCode).toBe(137);
  });

  it("evicts one Pod at a time, until enough is free", async () => {
    const world = await worldOf(
      { nodes },
      ["a", taking("150M")],
      ["b", taking("160M")],
      ["c", taking("170M")],
    );
    await world.run(60);
    const phases = ["a", "b", "c"].map((name) => world.pod(name)?.status?.phase);
    expect(phases).toEqual(["Running", "Running", "Failed"]);
  });

  it("never evicts a critical Pod", async () => {
    const priority = 2_000_001_000;
    const critical = { ...taking("300M"), priority, priorityClassName: "system-node-critical" };
    const world = await worldOf({ nodes }, ["web", critical], ["small", taking("150M")]);
    await world.run(15);
    expect(world.pod("small")?.status?.reason).toBe("Evicted");
    expect(world.pod("web")?.status?.phase).toBe("Running");
  });

  it("says so in its conditions, for 5 minutes after it is over", async () => {
    const world = await worldOf({ nodes }, ["web", taking("450M")]);
    await world.run(25);
    expect(await conditionOf(world, "MemoryPressure")).toMatchObject({
      status: "True",
      reason: "KubeletHasInsufficientMemory",
      message: "kubelet has insufficient memory available",
    });
    expect(world.message("NodeHasInsufficientMemory")).toBe(
      "Node node-1 status is now: NodeHasInsufficientMemory",
    );
    await world.run(240);
    expect((await conditionOf(world, "MemoryPressure"))?.status).toBe("True");
    await world.run(80);
    expect((await conditionOf(world, "MemoryPressure"))?.status).toBe("False");
  });

  it("is tainted, lets in what asks for memory, and rejects BestEffort Pods", async () => {
    const world = await worldOf({ nodes, controllers: true }, ["web", taking("450M")]);
    await world.run(25);
    expect((await world.node()).spec.taints).toMatchObject([
      { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" },
    ]);
    const tolerations = [{ key: "node.kubernetes.io/memory-pressure", operator: "Exists" }];
    await world.create(
      ["effort", taking("10M")],
      ["asking", taking("10M", "10Mi")],
      ["tolerant", { ...taking("10M"), tolerations }],
    );
    await world.run(5);
    expect(world.pod("effort")?.status).toMatchObject({
      phase: "Failed",
      reason: "Evicted",
      message: "Pod was rejected: The node had condition: [MemoryPressure]. ",
    });
    expect(world.pod("asking")?.status?.phase).toBe("Running");
    expect(world.pod("tolerant")?.status?.phase).toBe("Running");
  });

  it("waits as long as a soft threshold says", async () => {
    const kubelet = {
      evictionSoft: { "memory.available": "300Mi" },
      evictionSoftGracePeriod: { "memory.available": "1m" },
      evictionMaxPodGracePeriod: 20,
    };
    const world = await worldOf({ nodes: [{ memory: "512Mi", kubelet }] }, ["web", taking("300M")]);
    await world.run(25);
    expect((await conditionOf(world, "MemoryPressure"))?.status).toBe("True");
    expect(world.pod()?.status?.phase).toBe("Running");
    await world.run(60);
    expect(world.pod()?.status?.message).toMatch(/Threshold quantity: 300Mi, available: 212Mi/);
  });
});

describe("a node that runs short of disk", () => {
  const filler: ImageDefinition = { name: "filler", diskGrowthBytesPerSecond: 500 * MIB };

  it("evicts who writes most, and is rid of what it wrote", async () => {
    const nodes = [{ disk: "10Gi" }];
    const world = await worldOf(
      { nodes, images: [filler] },
      ["web", {}],
      ["fill", running("filler:1")],
    );
    await world.run(40);
    expect(world.pod("fill")?.status?.message).toMatch(
      /^The node was low on resource: ephemeral-storage\. Threshold quantity: 1536Mi, available: \d+Ki\. Container app was using \d+Ki, request is 0, has larger consumption of ephemeral-storage\. $/,
    );
    expect(world.pod("web")?.status?.phase).toBe("Running");
    expect((await conditionOf(world, "DiskPressure"))?.reason).toBe("KubeletHasDiskPressure");
    // Under disk pressure nobody is let in but critical Pods.
    const requests = { memory: "10Mi" };
    const containers = [{ name: "app", image: "nginx:1.27", resources: { requests } }];
    await world.create(["late", { containers }]);
    await world.run(5);
    expect(world.pod("late")?.status?.reason).toBe("Evicted");
    const evicted = world.events.filter(({ reason }) => reason === "Evicted");
    expect(evicted.map(({ involvedObject }) => involvedObject.name)).toEqual(["fill", "late"]);
  });

  it("counts layers to the disk of images where there is one", async () => {
    const nodes = [{ disk: "5Gi", imageDisk: "10Gi" }];
    const world = await worldOf({ nodes, images: [filler] }, ["web", running("filler:1")]);
    await world.run(40);
    expect(world.pod()?.status?.message).toMatch(/Threshold quantity: 1536Mi/);
  });

  it("evicts who breaks the limit of a volume, a container or the Pod", async () => {
    const volumes = [{ name: "cache", emptyDir: { sizeLimit: "1Gi" } }];
    const volumeMounts = [{ name: "cache", mountPath: "/cache" }];
    const limits = { "ephemeral-storage": "100Mi" };
    const shell = (script: string, more: object = {}) => ({
      containers: [
        { name: "app", image: "busybox:1.36", command: ["sh", "-c", script], ...more },
        { name: "other", image: "nginx:1.27" },
      ],
    });
    const write = "fallocate -l 2Gi /cache/big && sleep 3600";
    const dd = "dd if=/dev/zero of=/tmp/big bs=1M count=200; sleep 3600";
    const world = await worldOf(
      {},
      ["volume", { ...shell(write, { volumeMounts }), volumes }],
      ["limit", shell(dd, { resources: { limits } })],
    );
    await world.run(30);
    expect(world.pod("volume")?.status?.message).toBe(
      'Usage of EmptyDir volume "cache" exceeds the limit "1Gi". ',
    );
    expect(world.pod("limit")?.status?.message).toBe(
      "Pod ephemeral local storage usage exceeds the total limit of containers 100Mi. ",
    );
    expect((await conditionOf(world, "DiskPressure"))?.status).toBe("False");
  });
});

describe("a node that runs short of inodes", () => {
  const hoarder: ImageDefinition = { name: "hoarder", diskBytes: 4096, fileGrowthPerSecond: 3000 };
  const inVolume = { ...hoarder, diskPath: "/cache", tags: ["volume"] };
  const cache: Partial<PodSpec> = {
    volumes: [{ name: "cache", emptyDir: {} }],
    containers: [
      {
        ...{ name: "app", image: "hoarder:volume" },
        volumeMounts: [{ name: "cache", mountPath: "/cache" }],
      },
    ],
  };

  it("evicts who has most files, however small, in upstream's words", async () => {
    const nodes = [{ inodes: 100_000 }];
    const world = await worldOf(
      { nodes, images: [hoarder] },
      ["web", {}],
      ["hoard", running("hoarder:1")],
    );
    await world.run(60);
    expect(world.pod("hoard")?.status?.message).toMatch(
      /^The node was low on resource: inodes\. Threshold quantity: 5000, available: \d+\. $/,
    );
    expect(world.message("EvictionThresholdMet")).toBe("Attempting to reclaim inodes");
    expect(world.pod("web")?.status?.phase).toBe("Running");
    expect((await conditionOf(world, "DiskPressure"))?.reason).toBe("KubeletHasDiskPressure");
    const event = world.events.find(({ reason }) => reason === "Evicted");
    expect(event?.metadata.annotations).toMatchObject({
      ...{ offending_containers: "", starved_resource: "inodes" },
    });
  });

  it("has one for 16 KiB unless told, and follows evictionHard", async () => {
    const kubelet = { evictionHard: { "nodefs.inodesFree": "50000" } };
    const nodes = [{ disk: "1Gi", kubelet }];
    const world = await worldOf({ nodes, images: [hoarder] }, ["web", running("hoarder:1")]);
    await world.run(30);
    expect(world.pod()?.status?.message).toMatch(/Threshold quantity: 50k, available: \d+\. $/);
  });

  it("counts files of a volume to the node's disk, of a layer to the images'", async () => {
    const evictionHard = (signal: string) => ({ evictionHard: { [signal]: "20%" } });
    const shown = async (signal: string, image: ImageDefinition, spec: Partial<PodSpec>) => {
      const kubelet = evictionHard(signal);
      const nodes = [{ disk: "1Gi", imageDisk: "1Gi", kubelet }];
      const world = await worldOf({ nodes, images: [image] }, ["web", spec]);
      await world.run(40);
      return world.pod()?.status?.reason;
    };
    expect(await shown("nodefs.inodesFree", inVolume, cache)).toBe("Evicted");
    expect(await shown("imagefs.inodesFree", inVolume, cache)).toBeUndefined();
    expect(await shown("imagefs.inodesFree", hoarder, running("hoarder:1"))).toBe("Evicted");
    expect(await shown("nodefs.inodesFree", hoarder, running("hoarder:1"))).toBeUndefined();
  });
});

describe("a node that runs short of processes", () => {
  it("evicts the less important Pod, then the one with more of them", async () => {
    const fork: ImageDefinition = { name: "fork", processes: 10, processGrowthPerSecond: 100 };
    const kubelet = { evictionHard: { "pid.available": "10%" } };
    const nodes = [{ pids: 3000, kubelet }];
    const world = await worldOf({ nodes, images: [fork] }, ["fork", running("fork:1")]);
    await world.run(45);
    expect(world.pod("fork")?.status?.message).toMatch(
      /^The node was low on resource: pids\. Threshold quantity: 300, available: \d+\. $/,
    );
    expect((await conditionOf(world, "PIDPressure"))?.reason).toBe("KubeletHasInsufficientPID");
  });
});

describe("ranking", () => {
  const usage = (memoryBytes: number): PodUsage => ({
    containers: [],
    memoryBytes,
    processes: 1,
    volumes: new Map(),
    volumeInodes: new Map(),
  });
  const pod = (name: string, request: string, priority: number): Pod =>
    podOf(name, { priority, containers: [{ name, resources: { requests: { memory: request } } }] });

  it("puts excess before priority, and priority before how much", () => {
    const pods = [
      pod("within", "100Mi", 0),
      pod("important", "10Mi", 1000),
      pod("little", "40Mi", 0),
      pod("much", "10Mi", 0),
    ];
    const share = { rootfs: true, local: true };
    const ranked = rank(pods, "memory.available", () => usage(50 * MIB), share);
    expect(ranked.map(({ metadata }) => metadata.name)).toEqual([
      "much",
      "little",
      "important",
      "within",
    ]);
  });
});

describe("thresholds", () => {
  const seen = (available: number) => {
    const plenty = { available: 1000, capacity: 1000 };
    return {
      "memory.available": { available, capacity: 1000 },
      "nodefs.available": plenty,
      "nodefs.inodesFree": plenty,
      "imagefs.available": plenty,
      "imagefs.inodesFree": plenty,
      "pid.available": plenty,
    };
  };

  it("stay met until the least reclaim is there", () => {
    const config = {
      evictionHard: { "memory.available": "100" },
      evictionMinimumReclaim: { "memory.available": "50" },
    };
    const watch = new Watch(config, 300_000);
    expect(watch.update(seen(99), 0)).toHaveLength(1);
    expect(watch.update(seen(149), 10_000)).toHaveLength(1);
    expect(watch.update(seen(150), 20_000)).toHaveLength(0);
    expect(watch.update(seen(149), 30_000)).toHaveLength(0);
  });

  it("refuse what the kubelet would not start with", () => {
    expect(() => thresholdsOf({ evictionSoft: { "memory.available": "1Gi" } })).toThrow(
      "grace period must be specified for the soft eviction threshold memory.available",
    );
    expect(() => thresholdsOf({ evictionHard: { "cpu.available": "1" } })).toThrow(
      "unsupported eviction signal cpu.available",
    );
  });
});
