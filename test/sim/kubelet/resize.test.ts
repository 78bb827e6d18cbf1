/** Pods that are given more or less while they run, through the whole node. */
import { describe, expect, it } from "vitest";
import type { Container } from "../../../sim/src/api/kinds/pod.ts";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { NodeAdmission } from "../../../sim/src/kubelet/admission.ts";
import { Resizes } from "../../../sim/src/kubelet/resize/resizes.ts";
import { podOf, World } from "./world.ts";

type Resources = NonNullable<Container["resources"]>;

const NODE = [{ cpu: "2", memory: "1Gi", kubelet: { evictionHard: {} } }];
const both = (cpu: string, memory: string): Resources => ({
  limits: { cpu, memory },
  requests: { cpu, memory },
});

async function withPod(resources: Resources, more: Partial<Container> = {}) {
  const world = new World({ nodes: NODE });
  await world.run(2);
  await world.create(["web", { containers: [{ name: "c", image: "nginx", resources, ...more }] }]);
  await world.run(5);
  return world;
}

async function resize(world: World, resources: Resources, name = "web") {
  const body = { spec: { containers: [{ name: "c", resources }] } };
  const type = "application/strategic-merge-patch+json";
  await world.do((client) =>
    client.patch(Pod, "default", name, type, body, { subresource: "resize" }),
  );
}

const statusOf = (world: World, name = "web") => world.pod(name)?.status?.containerStatuses?.[0];

function resizeConditions(world: World, name = "web") {
  const all = world.pod(name)?.status?.conditions ?? [];
  return all
    .filter(({ type }) => type.startsWith("PodResize"))
    .map(({ type, reason, message, observedGeneration }) => ({
      ...{ type, reason, message, observedGeneration },
    }));
}

const messages = (world: World, reason: string) =>
  world.events.filter((event) => event.reason === reason).map(({ message }) => message);

describe("a resize that fits", () => {
  it("is granted, put in force by the runtime, and told of; nothing restarts", async () => {
    const world = await withPod(both("500m", "128Mi"));
    await resize(world, both("800m", "256Mi"));
    await world.run(5);
    expect(statusOf(world)).toMatchObject({
      restartCount: 0,
      allocatedResources: { cpu: "800m", memory: "256Mi" },
      resources: both("800m", "256Mi"),
    });
    expect(resizeConditions(world)).toEqual([]);
    const summary =
      '{"containers":[{"name":"c","resources":{"limits":{"cpu":"800m","memory":"256Mi"},"requests":{"cpu":"800m","memory":"256Mi"}}}],"generation":2}';
    expect(messages(world, "ResizeStarted")).toEqual([`Pod resize started: ${summary}`]);
    expect(messages(world, "ResizeCompleted")).toEqual([`Pod resize completed: ${summary}`]);
    const told = world.entries("container").filter(({ subject }) => subject === "update resources");
    expect(told.map(({ detail }) => detail)).toEqual([
      expect.objectContaining({
        linux: expect.objectContaining({ memory_limit_in_bytes: 256 * 2 ** 20, cpu_quota: 50_000 }),
      }),
      expect.objectContaining({
        linux: expect.objectContaining({ memory_limit_in_bytes: 256 * 2 ** 20, cpu_quota: 80_000 }),
      }),
    ]);
  });

  it("shows what was granted and what is in force apart, while they differ", async () => {
    const world = await withPod(both("500m", "128Mi"));
    await resize(world, both("800m", "128Mi"));
    await world.run(5);
    const seen = world.history.find(({ pod }) =>
      pod.status?.conditions?.some(({ type }) => type === "PodResizeInProgress"),
    );
    expect(seen?.pod.status?.containerStatuses?.[0]).toMatchObject({
      allocatedResources: { cpu: "800m" },
      resources: { limits: { cpu: "500m" } },
    });
  });

  it("restarts a container that says so, and only for the resource of which it says so", async () => {
    const resizePolicy = [{ resourceName: "memory", restartPolicy: "RestartContainer" }];
    const world = await withPod(both("500m", "128Mi"), { resizePolicy });
    await resize(world, both("600m", "128Mi"));
    await world.run(5);
    expect(statusOf(world)?.restartCount).toBe(0);
    await resize(world, both("600m", "256Mi"));
    await world.run(5);
    expect(statusOf(world)).toMatchObject({ restartCount: 1, resources: both("600m", "256Mi") });
    expect(messages(world, "Killing")).toEqual(["Container c resize requires restart"]);
    expect(resizeConditions(world)).toEqual([]);
  });

  it("restarts a sidecar that says so, and leaves the main container alone", async () => {
    const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
    const side = { name: "side", image: "nginx", restartPolicy: "Always" };
    const world = new World({ nodes: NODE });
    await world.run(2);
    const initContainers = [{ ...side, resources: both("100m", "64Mi"), resizePolicy }];
    const containers = [{ name: "c", image: "nginx", resources: both("500m", "128Mi") }];
    await world.create(["web", { initContainers, containers }]);
    await world.run(5);
    const status = () => world.pod("web")?.status?.initContainerStatuses?.[0];
    const to = async (resources: Resources) => {
      const body = { spec: { initContainers: [{ name: "side", resources }] } };
      const type = "application/strategic-merge-patch+json";
      const subresource = "resize";
      await world.do((client) => client.patch(Pod, "default", "web", type, body, { subresource }));
      await world.run(5);
    };
    await to(both("100m", "96Mi"));
    expect(status()).toMatchObject({ restartCount: 0, resources: both("100m", "96Mi") });
    await to(both("200m", "96Mi"));
    expect(status()).toMatchObject({ restartCount: 1, resources: both("200m", "96Mi") });
    expect(statusOf(world)?.restartCount).toBe(0);
    expect(messages(world, "Killing")).toEqual(["Container side resize requires restart"]);
    expect(resizeConditions(world)).toEqual([]);
  });
});

describe("a resize that does not fit", () => {
  it("is infeasible where the node is too small for it, and what was granted stays", () => {
    const told: string[] = [];
    const admission = new NodeAdmission({ cpu: "2", memory: "1Gi", pods: "10" });
    const resizes = new Resizes({
      ...{ kernel: new Kernel({ seed: 1 }), admission, sync: () => {} },
      events: { event: (_pod, type, reason, message) => told.push(`${type} ${reason} ${message}`) },
    });
    const containers = (resources: Resources) => [{ name: "c", image: "nginx", resources }];
    const before = podOf("web", { containers: containers(both("500m", "128Mi")) });
    admission.admit(before);
    const metadata = { ...before.metadata, generation: 2 };
    const after = {
      ...podOf("web", { containers: containers(both("1k", "128Mi")) }),
      metadata,
    };
    expect(resizes.update(after, before).spec).toEqual(before.spec);
    const message = "Node didn't have enough capacity: cpu, requested: 1000000, capacity: 2000";
    expect(resizes.of(after)).toMatchObject({
      pending: { type: "PodResizePending", reason: "Infeasible", message, observedGeneration: 2 },
    });
    expect(told).toEqual([
      `Warning ResizeInfeasible Pod resize Infeasible: {"containers":[{"name":"c","resources":{"limits":{"cpu":"1k","memory":"128Mi"},"requests":{"cpu":"1k","memory":"128Mi"}}}],"generation":2,"error":"${message}"}`,
    ]);
    const back = { ...before, metadata: { ...metadata, generation: 3 } };
    resizes.update(back, after);
    expect(resizes.of(back)?.pending).toBeUndefined();
  });

  it("is deferred until another Pod has gone", async () => {
    const world = await withPod(both("500m", "128Mi"));
    const containers = [{ name: "c", image: "nginx", resources: both("1", "128Mi") }];
    await world.create(["other", { containers, terminationGracePeriodSeconds: 1 }]);
    await world.run(5);
    await resize(world, both("1500m", "128Mi"));
    await world.run(5);
    const message =
      "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000";
    expect(resizeConditions(world)).toMatchObject([{ reason: "Deferred", message }]);
    expect(messages(world, "ResizeDeferred")).toHaveLength(1);
    await world.do((client) => client.delete(Pod, "default", "other"));
    await world.run(10);
    expect(resizeConditions(world)).toEqual([]);
    expect(statusOf(world)).toMatchObject({ resources: both("1500m", "128Mi"), restartCount: 0 });
  });
});

it("does not take memory away that is in use, and says so until there is less", async () => {
  const command = ["stress", "--vm", "1", "--vm-bytes", "100M"];
  const image = "polinux/stress:1.0";
  const world = await withPod(both("500m", "256Mi"), { image, command });
  await resize(world, both("500m", "64Mi"));
  await world.run(5);
  const [small, used] = [64 * 2 ** 20, 100 * 2 ** 20];
  const below = (whose: string) =>
    `attempting to set ${whose} memory limit (${small}) below current usage (${used})`;
  const message = `cannot decrease memory limits: [${below("pod")}, ${below('container "c"')}]`;
  expect(resizeConditions(world)).toMatchObject([
    { type: "PodResizeInProgress", reason: "Error", message },
  ]);
  expect(statusOf(world)).toMatchObject({
    allocatedResources: { memory: "64Mi" },
    resources: both("500m", "256Mi"),
    restartCount: 0,
  });
  expect(messages(world, "ResizeError")).toHaveLength(1);
  await resize(world, both("500m", "128Mi"));
  await world.run(5);
  expect(resizeConditions(world)).toEqual([]);
  expect(statusOf(world)?.resources).toEqual(both("500m", "128Mi"));
});

it("counts what was granted, not what is wanted, after the kubelet was restarted", async () => {
  const world = await withPod(both("500m", "128Mi"));
  const containers = [{ name: "c", image: "nginx", resources: both("1", "128Mi") }];
  await world.create(["other", { containers }]);
  await world.run(5);
  await resize(world, both("1500m", "128Mi"));
  await world.run(3);
  world.cluster.stop("kubelet/node-1");
  await world.run(2);
  world.cluster.startAgain("kubelet/node-1");
  await world.run(10);
  expect([world.pod(), world.pod("other")].map((pod) => pod?.status?.phase)).toEqual([
    "Running",
    "Running",
  ]);
  expect(resizeConditions(world)).toMatchObject([{ reason: "Deferred" }]);
  expect(statusOf(world)).toMatchObject({ resources: both("500m", "128Mi"), restartCount: 0 });
});

it("gives no room to a Pod that has ended", async () => {
  const world = new World({ nodes: NODE });
  await world.run(2);
  const done = { name: "c", image: "busybox", command: ["sh", "-c", "exit 0"] };
  const before = both("500m", "128Mi");
  const containers = [{ ...done, resources: before }];
  await world.create(["done", { containers, restartPolicy: "Never" }]);
  await world.run(10);
  expect(world.pod("done")?.status?.phase).toBe("Succeeded");
  await resize(world, both("1500m", "128Mi"), "done");
  await world.run(2);
  const next = [{ name: "c", image: "nginx", resources: both("1500m", "128Mi") }];
  await world.create(["next", { containers: next }]);
  await world.run(5);
  expect(messages(world, "ResizeStarted")).toEqual([]);
  expect(world.pod("next")?.status?.phase).toBe("Running");
});
